"""tls.py - certificates of brokers and clients, made by openssl"""
import os
import subprocess

PASSWORD = "secret"
KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


def openssl(folder, *args):
    subprocess.run(["openssl", *args], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_authority(folder, name):
    openssl(folder, "req", "-x509", *KEY, "-keyout", name + ".key", "-out",
            name + ".pem", "-days", "2", "-subj", "/CN=" + name)


def make_certificate(folder, name, authority, days=2):
    """NAME.pem and NAME.key, and both in NAME.p12; it is valid for that many
    days, or has expired that many days ago."""
    openssl(folder, "req", *KEY, "-keyout", name + ".key", "-out",
            name + ".csr", "-subj", "/CN=" + name, "-addext",
            "subjectAltName=IP:127.0.0.1")
    openssl(folder, "x509", "-req", "-in", name + ".csr", "-CA",
            authority + ".pem", "-CAkey", authority + ".key",
            "-CAcreateserial", "-days", str(days), "-copy_extensions", "copy",
            "-out", name + ".pem")
    openssl(folder, "pkcs12", "-export", "-in", name + ".pem", "-inkey",
            name + ".key", "-name", name, "-passout", "pass:" + PASSWORD,
            "-out", name + ".p12")


def make_trust(folder, authority):
    """AUTHORITY.jks, the form in which Java reads the certificate."""
    subprocess.run(
        ["keytool", "-importcert", "-noprompt", "-alias", authority, "-file",
         authority + ".pem", "-keystore", authority + ".jks", "-storepass",
         PASSWORD], cwd=folder, check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)


def make_all(folder):
    """Two authorities; of the first a broker, a broker whose certificate has
    expired, and a client; of the second a client that brokers do not know."""
    for authority in ("ca", "other-ca"):
        make_authority(folder, authority)
    make_trust(folder, "ca")
    make_certificate(folder, "broker", "ca")
    make_certificate(folder, "expired", "ca", -1)
    make_certificate(folder, "client", "ca")
    make_certificate(folder, "stranger", "other-ca")


def broker_settings(folder, name):
    path = os.path.join(folder, "%s")
    return dict(ssl_keystore_location=path % (name + ".p12"),
                ssl_keystore_type="PKCS12", ssl_keystore_password=PASSWORD,
                ssl_key_password=PASSWORD,
                ssl_truststore_location=path % "ca.jks",
                ssl_truststore_password=PASSWORD, ssl_client_auth="required")


def client_options(folder, authority="ca", name="client"):
    options = ["security.protocol=ssl",
               "ssl.ca.location=%s/%s.pem" % (folder, authority)]
    if name:
        options += ["ssl.certificate.location=%s/%s.pem" % (folder, name),
                    "ssl.key.location=%s/%s.key" % (folder, name)]
    return tuple(word for option in options for word in ("-X", option))
