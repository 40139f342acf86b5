"""An HTTPS server on 127.0.0.1 whose certificate nobody has signed. Prints its port, then answers 204."""
import http.server
import ssl
import tempfile

# A throw-away key, made for this file.
PEM = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZNClCUHRIn3XQQhp
a402HpNC+N7vIWfF0Tr1emGXtWyhRANCAASeCyTkWW4IDOES3c3GQdMSIJN+Zvqk
7MRvgiKgTku/W+VJrHl74OzojpWCYFRiyXKZm0V6YSA1qmmaVp9Ie1Nh
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUKAANuZ3pSa0JPy/+xUmWu1GEfiwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDA5NDkwOFoYDzIxMjYxMTA2
MDk0OTA4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASeCyTkWW4IDOES3c3GQdMSIJN+Zvqk7MRvgiKgTku/W+VJrHl74Ozo
jpWCYFRiyXKZm0V6YSA1qmmaVp9Ie1Nho28wbTAdBgNVHQ4EFgQUhSkGOZ+dinWO
YGV8N18i+10aFc4wHwYDVR0jBBgwFoAUhSkGOZ+dinWOYGV8N18i+10aFc4wDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgMOgo3FDLB2y8ltFpYzrn1YX5IjxmKxUxqE/TtxPk6AUCIQCH
woefccjn01+z2JgI2NjSHt/s/Jp+0aTAcbYtyWb6GQ==
-----END CERTIFICATE-----
"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *arguments):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
with tempfile.NamedTemporaryFile("w") as file:
    file.write(PEM)
    file.flush()
    context.load_cert_chain(file.name)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
