#!/usr/bin/env python3
"""Verifies a ledger chain or a proof of inclusion, by docs/ledger.md and with no code of Falconer.

Needs Python's standard library, and the openssl command for Ed25519 signatures. Exit code 0: all is
well; 1: something was found, one line each; 2: wrong usage or unreadable files.
"""
import argparse
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

MAGIC = b"FALCLDG1"
RECORD_MIN, RECORD_MAX = 88, 1 << 24
LINES = ("origin", "size", "root", "head", "peaks", "time", "key", "previous", "signature")


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def plain_bytes(path):
    """The bytes of a plain file; None for a pipe, a link or anything else that is no file of a chain."""
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def node(left, right):
    return sha(b"\x01", left, right)


def append_peak(peaks, size, leaf):
    while size & 1:
        leaf = node(peaks.pop(), leaf)
        size >>= 1
    peaks.append(leaf)


def fold(peaks):
    if not peaks:
        return sha()
    root = peaks[-1]
    for peak in reversed(peaks[:-1]):
        root = node(peak, root)
    return root


def encode_tenant(tenant):
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
    return "".join(chr(c) if c in plain else "%%%02X" % c for c in tenant) or "%"


class Keys:
    """Public keys by their id; signatures are checked by the openssl command."""

    def __init__(self, paths):
        self.paths = {}
        for path in paths:
            der = subprocess.run(["openssl", "pkey", "-pubin", "-in", path, "-outform", "DER"],
                                 check=True, capture_output=True).stdout
            self.paths[sha(der[-32:]).hex()[:16]] = path

    def verifies(self, key, text, signature):
        if key not in self.paths:
            return False
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "text").write_bytes(text)
            pathlib.Path(folder, "sig").write_bytes(signature)
            done = subprocess.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", self.paths[key],
                                   "-rawin", "-in", f"{folder}/text", "-sigfile", f"{folder}/sig"],
                                  capture_output=True, check=False)
        return done.returncode == 0


def parse_checkpoint(block, keys):
    """The fields of a block with its empty line, or a text that says what is wrong."""
    lines = block.decode("latin-1").split("\n")
    if len(lines) != 12 or lines[0] != "falconer-checkpoint 1" or lines[10:] != ["", ""]:
        return "not a checkpoint"
    out = {}
    for name, line in zip(LINES, lines[1:10]):
        if not line.startswith(name + " "):
            return f"{name} is missing"
        out[name] = line[len(name) + 1:]
    hexes = [out["root"], out["head"], out["previous"]] + [p for p in out["peaks"].split(",") if p]
    if not all(re.fullmatch("[0-9a-f]{64}", h) for h in hexes):
        return "a hash is not 64 hex digits"
    if not re.fullmatch("[0-9a-f]{128}", out["signature"]) or not re.fullmatch("[1-9][0-9]*", out["size"]):
        return "signature or size are malformed"
    out["size"] = int(out["size"])
    out["peaks"] = [bytes.fromhex(p) for p in out["peaks"].split(",")]
    out["text"] = "\n".join(lines[:9]).encode("latin-1") + b"\n"
    if len(out["peaks"]) != bin(out["size"]).count("1") or fold(out["peaks"]).hex() != out["root"]:
        return "root and peaks disagree"
    if not keys.verifies(out["key"], out["text"], bytes.fromhex(out["signature"])):
        return "no given key made the signature"
    return out


class Chain:
    """Walks the files of one chain and collects what is wrong."""

    def __init__(self, folder, archive, keys):
        self.folder, self.archive, self.keys = folder, archive, keys
        self.findings = []
        self.seq, self.head, self.peaks = 0, None, []
        self.tenant = None
        self.kept = []

    def find(self, kind, detail):
        self.findings.append(f"{kind}: {detail}")

    def load_checkpoints(self):
        """{size: (root, head)} of the checkpoints that hold by themselves."""
        promised, previous = {}, bytes(32)
        path = self.folder / "checkpoints"
        data = plain_bytes(path) if path.exists() else b""
        if data is None:
            self.find("bad_framing", f"{path.name} is no plain file")
            data = b""
        while b"\n\n" in data:
            end = data.index(b"\n\n") + 2
            found = parse_checkpoint(data[:end], self.keys)
            data = data[end:]
            if isinstance(found, str):
                self.find("record_signature_mismatch", found)
                continue
            if found["previous"] != previous.hex():
                self.find("record_signature_mismatch", "a checkpoint does not follow the one before")
            if promised and found["size"] <= max(promised):
                self.find("fork", f"checkpoints do not grow at {found['size']}")
            previous = sha(found["text"])
            promised[found["size"]] = (found["root"], found["head"], found["origin"])
        if data:
            self.find("bad_framing", "the last checkpoint is incomplete")
        return promised

    def segments(self):
        found = {}
        for folder in filter(None, (self.archive, self.folder)):
            for path in folder.glob("*.seg"):
                if re.fullmatch("[0-9]{20}", path.stem):
                    found[int(path.stem)] = path
        return [found[key] for key in sorted(found)]

    def header(self, path, data):
        """The offset of the first record, or None when the segment cannot be read."""
        if len(data) < 56 or data[:8] != MAGIC or struct.unpack_from("<HH", data, 8) != (1, 0):
            return None
        length, first = struct.unpack_from("<IQ", data, 12)
        end = 56 + length
        if length > 4096 or len(data) < end + 32 or sha(b"\x02", data[:end]) != data[end:end + 32]:
            return None
        tenant = data[56:end]
        if self.tenant is None:
            self.tenant = tenant
            self.head = sha(b"\x03", MAGIC, tenant)
        if tenant != self.tenant:
            self.find("wrong_tenant", path.name)
        if first != int(path.stem) or first != self.seq + 1:
            self.find("missing_segment", f"{path.name} begins at {first}, not at {self.seq + 1}")
            self.seq = first - 1
            self.peaks = None  # the tree cannot be known behind a gap
        if data[24:56] != self.head:
            self.find("chain_link_mismatch", f"{path.name} does not continue the chain")
            self.head = data[24:56]
        return end + 32

    def records(self, path, data, at, promised):
        while at < len(data):
            length = struct.unpack_from("<I", data, at)[0] if at + 4 <= len(data) else 0
            if not RECORD_MIN <= length <= RECORD_MAX or at + length > len(data):
                return self.find("bad_framing", f"{path.name} at byte {at}, record {self.seq + 1}")
            record = data[at:at + length]
            version, zero, seq = struct.unpack_from("<BHQ", record, 5)
            if version != 1 or zero != 0:
                return self.find("bad_framing", f"{path.name} at byte {at}, record {self.seq + 1}")
            self.take(record, seq)
            self.compare(promised)
            at += length
        return None

    def take(self, record, seq):
        if sha(b"\x00", record[:-32]) != record[-32:]:
            self.find("record_hash_mismatch", f"record {self.seq + 1}")
        elif seq != self.seq + 1:
            self.find("chain_link_mismatch", f"record {seq} stands in place of {self.seq + 1}")
        elif record[24:56] != self.head:
            self.find("chain_link_mismatch", f"record {seq} does not follow the one before")
        if self.peaks is not None:
            append_peak(self.peaks, self.seq, record[-32:])
        self.seq += 1
        self.head = record[-32:]

    def compare(self, promised):
        for one in self.kept:
            if one["size"] == self.seq and one["head"] != self.head.hex():
                self.find("fork", f"other records were seen before, up to {self.seq}")
        if self.seq not in promised:
            return
        root, head, origin = promised[self.seq]
        has_root = self.peaks is None or root == fold(self.peaks).hex()
        if head != self.head.hex() or not has_root:
            self.find("record_signature_mismatch", f"the first {self.seq} records are not those signed")
        if origin != encode_tenant(self.tenant):
            self.find("wrong_tenant", f"checkpoint of {origin}")

    def verify(self, kept):
        self.kept = kept
        promised = self.load_checkpoints()
        for path in self.segments():
            data = plain_bytes(path) or b""
            start = self.header(path, data)
            if start is None:
                self.find("bad_framing", f"{path.name} has no good header")
                continue
            self.records(path, data, start, promised)
        for size in promised:
            if size > self.seq:
                self.find("truncated", f"{size} records were signed, {self.seq} are there")
        if self.seq > max(promised, default=0):
            self.find("unsigned", f"no checkpoint covers record {self.seq}")
        for one in kept:
            if one["size"] > self.seq:
                self.find("rollback", f"{one['size']} records were seen before, {self.seq} are there")
        return self.findings


def included(leaf, index, size, path, root):
    """RFC 9162, section 2.1.3.2."""
    fn, sn, at = index, size - 1, leaf
    for sibling in path:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            at = node(sibling, at)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            at = node(at, sibling)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and at == root


def verify_proof(proof, keys):
    found = parse_checkpoint(proof["checkpoint"].encode("latin-1"), keys)
    if isinstance(found, str):
        return [f"record_signature_mismatch: {found}"]
    record = bytes.fromhex(proof["record"])
    seq = struct.unpack_from("<Q", record, 8)[0]
    if sha(b"\x00", record[:-32]) != record[-32:] or seq != proof["seq"]:
        return ["record_hash_mismatch: the record is not the one that was written"]
    path = [bytes.fromhex(h) for h in proof["proof"]]
    if not 1 <= seq <= found["size"] or not included(record[-32:], seq - 1, found["size"], path,
                                                      bytes.fromhex(found["root"])):
        return ["record_signature_mismatch: the record is not under the signed root"]
    return []


def read_kept(paths, keys):
    kept = []
    for path in paths:
        found = parse_checkpoint(pathlib.Path(path).read_bytes(), keys)
        if isinstance(found, str):
            raise ValueError(f"{path}: {found}")
        kept.append(found)
    return kept


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("chain", "proof"))
    parser.add_argument("path", type=pathlib.Path, help="folder of the chain, or file of the proof")
    parser.add_argument("--key", action="append", required=True, help="public key (PEM); repeatable")
    parser.add_argument("--archive", type=pathlib.Path, help="folder of archived segments")
    parser.add_argument("--checkpoint", action="append", default=[], help="checkpoint kept from earlier")
    args = parser.parse_args()
    try:
        keys = Keys(args.key)
        if args.what == "proof":
            findings = verify_proof(json.loads(args.path.read_text()), keys)
        else:
            chain = Chain(args.path, args.archive, keys)
            findings = chain.verify(read_kept(args.checkpoint, keys))
    except (OSError, subprocess.CalledProcessError) as failure:
        print(failure, file=sys.stderr)
        return 2
    print("\n".join(findings) or "ok")
    return 1 if findings else 0


def guarded_main():
    """A failure of this program must not be taken for a finding."""
    try:
        return main()
    except Exception as failure:  # pylint: disable=broad-except
        print(f"verify_ledger.py failed: {failure!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(guarded_main())
