"""An S3 server on loopback, moto's, for ``test_object_store.py``."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow.fs as pafs
from tests.nightly.hadoop import BENCH, fetched

from quotelab.benchmarks.standalone import FEW_MINUTES, free_ports, spark_arguments, start

BUCKET = "desk"
#: Hadoop's file system on S3.
_CONNECTOR = ("org.apache.hadoop:hadoop-aws:3.5.0",)
_JARS = ("org.apache.hadoop_hadoop-aws-*", "software.amazon.*", "org.wildfly.openssl_*")
_SERVER = ("moto[s3]==5.2.5", "flask==3.1.3", "flask-cors==6.0.5")
#: One request at a time, so that of two creations of an object under a condition one is refused, as S3 promises.
_SERVE = """
import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
run_simple("127.0.0.1", int(sys.argv[1]), DomainDispatcherApplication(create_backend_app), threaded=False)
"""


@contextmanager
def object_store(folder: Path) -> Iterator[dict[str, str]]:
    """Run the server with an empty bucket; gives the environment of a process that knows of it."""
    jars = fetched(_CONNECTOR, folder)
    [port] = free_ports(1)
    endpoint = f"127.0.0.1:{port}"
    with ExitStack() as started:
        start(started, [str(_python()), "-c", _SERVE, str(port)], folder / "store.log", port=port)
        system = pafs.S3FileSystem(
            access_key="ours", secret_key="secret", region="us-east-1", scheme="http", endpoint_override=endpoint,
            allow_bucket_creation=True,
        )  # fmt: skip
        system.create_dir(BUCKET)
        # Not those that were fetched for Hadoop's daemons. At the same place of every machine, so nothing is sent.
        needed = ",".join(f"local:{jar}" for each in _JARS for jar in jars.glob(each))
        of_spark = {"spark.jars": needed, "spark.ui.enabled": "false", "spark.driver.extraJavaOptions": FEW_MINUTES}
        # As a desk has them: the names that tools of S3 know, and the connector where Spark looks for packages.
        yield {
            "AWS_ACCESS_KEY_ID": "ours", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://{endpoint}", "AWS_EC2_METADATA_DISABLED": "true",
            "PYSPARK_SUBMIT_ARGS": shlex.join([*spark_arguments(of_spark), "pyspark-shell"]),
        }  # fmt: skip


def _python() -> Path:
    """The Python of the server's environment, which is made unless it is there."""
    environment = BENCH / "moto"
    if not (environment / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        pip = [environment / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, *_SERVER], check=True)
        (environment / "installed").touch()
    return environment / "bin" / "python"
