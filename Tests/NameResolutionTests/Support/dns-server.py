#!/usr/bin/env python3
"""A name server for tests, over UDP and TCP: dns-server.py ZONE [ADDRESS [PORT]]

Prints the port it listens on. The zone is read anew for each question, so a test can rewrite it; a name that
is not in it does not exist. Each question is appended to ZONE.log as "TYPE NAME".

    a.test      addresses 60 192.0.2.1 2001:db8::1    answers, with the time to live
    half.test   silent-aaaa 60 192.0.2.1              only questions for A are answered
    big.test    truncated 60 192.0.2.1 ...            over UDP only "ask again over TCP"
    slow.test   delayed 0.3 60 192.0.2.1              answers after so many seconds
    c.test      alias a.test                          a CNAME with what it leads to
    x.test      servfail | refused | silent | garbage
"""
import ipaddress
import os
import signal
import socket
import struct
import sys
import threading
import time

A, CNAME, AAAA = 1, 5, 28


def encoded(name):
    labels = [label for label in name.split(".") if label]
    return b"".join(bytes([len(label)]) + label.encode() for label in labels) + b"\0"


def question(message):
    position, labels = 12, []
    while message[position]:
        length = message[position]
        labels.append(message[position + 1 : position + 1 + length].decode())
        position += 1 + length
    kind = struct.unpack_from("!H", message, position + 1)[0]
    return ".".join(labels).lower(), kind, message[12 : position + 5]


def record(name, kind, ttl, data):
    return encoded(name) + struct.pack("!HHIH", kind, 1, ttl, len(data)) + data


def records(name, kind, ttl, texts):
    addresses = [ipaddress.ip_address(text) for text in texts]
    version = 4 if kind == A else 6
    return [record(name, kind, int(ttl), a.packed) for a in addresses if a.version == version and kind in (A, AAAA)]


def zone(path):
    with open(path) as file:
        return {words[0]: words[1:] for words in map(str.split, file) if words}


def answer(path, message, is_tcp):
    """The reply to one question; None for silence."""
    name, kind, asked = question(message)
    with open(path + ".log", "a") as log:
        log.write(f"{ {A: 'A', AAAA: 'AAAA'}.get(kind, kind) } {name}\n")

    def reply(code=0, answers=(), flags=0):
        header = message[:2] + struct.pack("!HHHHH", 0x8180 | flags | code, 1, len(answers), 0, 0)
        return header + asked + b"".join(answers)

    entries = zone(path)
    match entries.get(name):
        case None:
            return reply(3)
        case ["servfail"]:
            return reply(2)
        case ["refused"]:
            return reply(5)
        case ["silent"]:
            return None
        case ["garbage"]:
            return message[:2] + b"\x81\x80" + os.urandom(40)
        case ["silent-aaaa", ttl, *texts]:
            return None if kind == AAAA else reply(0, records(name, kind, ttl, texts))
        case ["truncated", ttl, *texts]:
            return reply(0, records(name, kind, ttl, texts)) if is_tcp else reply(flags=0x0200)
        case ["delayed", seconds, ttl, *texts]:
            time.sleep(float(seconds))
            return reply(0, records(name, kind, ttl, texts))
        case ["alias", other]:
            ttl, texts = entries.get(other, ["addresses", "60"])[1], entries.get(other, ["", "60"])[2:]
            return reply(0, [record(name, CNAME, int(ttl), encoded(other))] + records(other, kind, ttl, texts))
        case ["addresses", ttl, *texts]:
            return reply(0, records(name, kind, ttl, texts))


def serve_udp(udp, path):
    def handle(message, peer):
        reply = answer(path, message, False)
        if reply is not None:
            udp.sendto(reply, peer)

    while True:
        message, peer = udp.recvfrom(4096)
        threading.Thread(target=handle, args=(message, peer), daemon=True).start()


def serve_tcp(tcp, path):
    def handle(connection):
        with connection, connection.makefile("rb") as stream:
            while len(size := stream.read(2)) == 2:
                reply = answer(path, stream.read(struct.unpack("!H", size)[0]), True)
                if reply is not None:
                    connection.sendall(struct.pack("!H", len(reply)) + reply)

    while True:
        connection, _ = tcp.accept()
        threading.Thread(target=handle, args=(connection,), daemon=True).start()


def main():
    # Whoever started it may have blocked signals; it is ended by one.
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    path = sys.argv[1]
    address = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1"
    port = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    tcp = socket.create_server((address, port))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind((address, tcp.getsockname()[1]))
    print(tcp.getsockname()[1], flush=True)
    threading.Thread(target=serve_tcp, args=(tcp, path), daemon=True).start()
    serve_udp(udp, path)


main()
