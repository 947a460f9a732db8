"""sasl_broker.py - a broker that asks for a name and a password (SASL PLAIN),
and refuses all: of Kafka's protocol it knows what comes before"""
import socket
import struct
import threading

API_VERSIONS, SASL_HANDSHAKE, SASL_AUTHENTICATE = 18, 17, 36
KNOWN = ((API_VERSIONS, 0, 3), (SASL_HANDSHAKE, 0, 1),
         (SASL_AUTHENTICATE, 0, 1), (3, 0, 2))
SASL_AUTHENTICATION_FAILED = 58


def text(words):
    return struct.pack(">h", len(words)) + words.encode()


def api_versions(version):
    if version < 3:
        return struct.pack(">hi", 0, len(KNOWN)) + b"".join(
            struct.pack(">hhh", *row) for row in KNOWN) + (
                struct.pack(">i", 0) if version else b"")
    return struct.pack(">hB", 0, len(KNOWN) + 1) + b"".join(
        struct.pack(">hhhB", *row, 0) for row in KNOWN) + struct.pack(
            ">iB", 0, 0)


def answer(api, version):
    if api == API_VERSIONS:
        return api_versions(version)
    if api == SASL_HANDSHAKE:
        return struct.pack(">hi", 0, 1) + text("PLAIN")
    if api == SASL_AUTHENTICATE:
        return struct.pack(">h", SASL_AUTHENTICATION_FAILED) + text(
            "wrong name or password") + struct.pack(">i", 0) + (
                struct.pack(">q", 0) if version else b"")
    return None


def receive(s, n):
    data = b""
    while len(data) < n:
        more = s.recv(n - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return data


class SaslBroker:
    options = ("-X", "security.protocol=sasl_plaintext", "-X",
               "sasl.mechanisms=PLAIN", "-X", "sasl.username=me", "-X",
               "sasl.password=wrong")

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.brokers = "127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                s = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(s,), daemon=True).start()

    @staticmethod
    def serve(s):
        try:
            while True:
                size, = struct.unpack(">i", receive(s, 4))
                request = receive(s, size)
                api, version, number = struct.unpack(">hhi", request[:8])
                body = answer(api, version)
                if body is None:
                    break
                s.sendall(struct.pack(">ii", len(body) + 4, number) + body)
        except OSError:
            pass
        s.close()

    def close(self):
        self.socket.close()
