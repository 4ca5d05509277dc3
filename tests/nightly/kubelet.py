"""A Kubernetes of one machine for ``test_kubernetes.py``: it keeps what Spark creates, and runs each pod as a process.

A pod sees the files of this machine, and above them those of the image and of its volumes, in a layer of its own.
"""

import json
import os
import shlex
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import yaml

from quotelab.benchmarks.standalone import start

#: Where a pod finds what it may ask the cluster with.
TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token"
#: Gives a process a root of its own: this machine's files below, and a layer above in which alone it writes.
LAYERED = """
set -e
mount -t tmpfs tmpfs "$1"; mkdir "$1/up" "$1/work" "$1/pod"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/up,workdir=$1/work" "$1/pod"
for each in proc dev sys tmp {shared}; do mount --rbind "/$each" "$1/pod/$each"; done
{prepared}
exec chroot "$1/pod" /usr/bin/env -i {environment} bash -c 'cd /tmp; exec "$@"' pod "${{@:2}}"
"""


class Kubelet:
    """What a cluster holds, by path of the API, and the processes of its pods."""

    def __init__(self, folder: Path, image: dict[str, Path], entrypoint: str, shared: tuple[Path, ...]) -> None:
        self.folder, self.image, self.entrypoint, self.shared = folder, image, entrypoint, shared
        self.objects: dict[str, dict[str, Any]] = {}
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.running = ExitStack()

    def create(self, folder: str, given: dict[str, Any]) -> dict[str, Any]:
        """Keep an object, and start the pods that waited for it."""
        given["metadata"] |= {"uid": f"uid-{len(self.objects)}", "creationTimestamp": "2024-01-01T00:00:00Z"}
        self.objects[f"{folder}/{given['metadata']['name']}"] = given
        for pod in self._all("Pod"):
            if pod["metadata"]["name"] not in self.processes and self._has_what_it_needs(pod):
                self._run(pod)
        return given

    def get(self, path: str) -> dict[str, Any] | None:
        """An object, with the phase of its process if it is a pod."""
        found = self.objects.get(path)
        if found is not None and found["kind"] == "Pod":
            process = self.processes.get(found["metadata"]["name"])
            code = process.poll() if process else None
            phase = "Pending" if not process else "Running" if code is None else "Failed" if code else "Succeeded"
            ready = {"type": "Ready", "status": "True" if phase == "Running" else "False"}
            found["status"] = {"phase": phase, "podIP": "127.0.0.1", "conditions": [ready]}
        return found

    def _all(self, kind: str) -> list[dict[str, Any]]:
        return [each for each in self.objects.values() if each["kind"] == kind]

    def _has_what_it_needs(self, pod: dict[str, Any]) -> bool:
        """Whether its volumes are there, and the name under which executors find a driver."""
        needed = {each["configMap"]["name"] for each in pod["spec"].get("volumes", ()) if "configMap" in each}
        is_driver = pod["metadata"]["labels"]["spark-role"] == "driver"
        there = {each["metadata"]["name"] for each in self._all("ConfigMap")}
        return needed <= there and bool(not is_driver or self._all("Service"))

    def chosen(self, folder: str, selector: str) -> dict[str, Any]:
        wanted = dict(each.split("=") for each in selector.split(",") if "=" in each and "!=" not in each)
        items = [self.get(path) for path in self.objects if path.startswith(f"{folder}/")]
        found = [each for each in items if each and wanted.items() <= each["metadata"].get("labels", {}).items()]
        return {"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": "1"}, "items": found}

    def _run(self, pod: dict[str, Any]) -> None:
        name, container = pod["metadata"]["name"], pod["spec"]["containers"][0]
        given = {each["name"]: each.get("value") or _of_field(each, name) for each in container.get("env", ())}
        given |= {"PATH": os.environ["PATH"], "HOME": "/tmp", "LANG": "C.UTF-8"}
        layer = self.folder / name
        layer.mkdir()
        files = {TOKEN: "token", "/etc/hosts": self._hosts()}
        volumes = {each["name"]: each for each in pod["spec"].get("volumes", ())}
        folders = []
        for mount in container.get("volumeMounts", ()):
            configured = volumes.get(mount["name"], {}).get("configMap")
            folders.append(mount["mountPath"])
            if configured:
                held = {each["metadata"]["name"]: each["data"] for each in self._all("ConfigMap")}
                files |= {f"{mount['mountPath']}/{file}": text for file, text in held[configured["name"]].items()}
        steps = [f"mkdir -p {shlex.quote(f'{layer}/pod{folder}')}" for folder in folders]
        for place, source in self.image.items():
            steps.append(f"mkdir -p {layer}/pod{Path(place).parent}; cp -r {source} {layer}/pod{place}")
        for number, (place, text) in enumerate(files.items()):
            (self.folder / f"{name}-{number}").write_text(text)
            target = shlex.quote(f"{layer}/pod{place}")
            steps.append(f"mkdir -p $(dirname {target}); cp {self.folder}/{name}-{number} {target}")
        environment = shlex.join(f"{key}={value}" for key, value in given.items())
        shared = " ".join(str(path).lstrip("/") for path in self.shared)
        script = LAYERED.format(prepared="\n".join(steps), environment=environment, shared=shared)
        command = ["unshare", "-m", "bash", "-c", script, "pod", str(layer), self.entrypoint, *container["args"]]
        self.processes[name] = start(self.running, command, self.folder / f"{name}.log")

    def _hosts(self) -> str:
        names = [f"{each['metadata']['name']}.default.svc" for each in self._all("Service")]
        return f"127.0.0.1 localhost {socket.gethostname()} {' '.join(names)}\n"


def _of_field(variable: dict[str, Any], name: str) -> str:
    """Value of a variable that Kubernetes knows when the pod runs."""
    path = variable.get("valueFrom", {}).get("fieldRef", {}).get("fieldPath")
    return {"status.podIP": "127.0.0.1", "metadata.name": name}.get(path, "")


class _Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    kubelet: Kubelet

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path.rpartition("/")[2] in ("pods", "configmaps", "services", "persistentvolumeclaims"):
            selector = parse_qs(asked.query).get("labelSelector", [""])[0]
            self._answer(200, self.kubelet.chosen(asked.path, selector))
        else:
            found = self.kubelet.get(asked.path)
            self._answer(200 if found else 404, found or {"kind": "Status", "status": "Failure", "code": 404})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(201, self.kubelet.create(urlsplit(self.path).path, json.loads(body)))

    def do_PATCH(self) -> None:
        body, path = self.rfile.read(int(self.headers.get("Content-Length", 0))), urlsplit(self.path).path
        if "apply" in self.headers["Content-Type"]:  # the whole object, as if it were created
            self._answer(200, self.kubelet.create(path.rpartition("/")[0], yaml.safe_load(body)))
        else:
            self._answer(200, self.kubelet.get(path) or {})

    do_PUT = do_PATCH

    def do_DELETE(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(200, {"kind": "Status", "apiVersion": "v1", "status": "Success"})

    def _answer(self, code: int, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def kubernetes(kubelet: Kubelet) -> Iterator[str]:
    """Serve the API of a cluster; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Api", (_Api,), {"kubelet": kubelet}))
    Thread(target=server.serve_forever, daemon=True).start()
    with kubelet.running:
        yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
