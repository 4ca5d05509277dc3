# Java options and memory of sessions on one machine. `make install` copies this file into the conf folder of the
# installed pyspark, and spark-submit reads it: change it here and install again. With another master than local,
# nothing is set.

quotelake_local=yes
quotelake_before=""
for quotelake_argument in "$@"; do
  case "$quotelake_before=$quotelake_argument" in
    --master=local* | *=--master=local* | --conf=spark.master=local*) ;;
    --master=* | *=--master=* | --conf=spark.master=* | --properties-file=* | --deploy-mode=cluster) quotelake_local=no ;;
  esac
  case "$quotelake_argument" in *.py) break ;; esac # the job's own arguments follow
  quotelake_before="$quotelake_argument"
done
case "${MASTER:-local}" in local*) ;; *) quotelake_local=no ;; esac

if [ "$quotelake_local" = yes ] && [ "${1:-}" = org.apache.spark.deploy.SparkSubmit ]; then
  # C1 alone: a run of minutes is over before C2's code has paid for its compilation (sample run: 221 to 159 CPU
  # seconds). Serial collector: it leaves two cores to the work (sample run: 105 s to 81 s). The heap begins at
  # about a gigabyte, so that it need not grow through many small collections. The bytecode of Spark's jars is not
  # verified at each start: the installation checked the files (start: 4.7 to 4.0 CPU seconds). Memory outside the
  # heap that is no longer used is given back every ten seconds (a first load's Java: 140 MB less at its end); a Java
  # that is too old for this passes over it, as Spark asks it to.
  SPARK_SUBMIT_OPTS="-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:MetaspaceSize=256m -XX:+UseSerialGC \
-XX:InitialRAMPercentage=5 -XX:TrimNativeHeapInterval=10000 -XX:-UsePerfData -XX:+UnlockDiagnosticVMOptions \
-XX:-BytecodeVerificationRemote \
${SPARK_SUBMIT_OPTS:-}"
  # Spark's classes come from an archive that `make install` made: to start and group 5,000 texts takes a fifth less CPU. Java takes it only if no folder with files is on its class path, so Spark's conf
  # folder is replaced by an empty one, and its files are named by options. Nothing is replaced where the operator put
  # other files into it, or where the path has a space. Java passes over an archive of another Java or of other jars.
  quotelake_made="${SPARK_HOME:-}/quotelake"
  case "${SPARK_CONF_DIR:-} $(cd "${SPARK_CONF_DIR:-.}" && echo *)" in
    *" "*" "*" "*" "*" "*) ;;
    "${SPARK_HOME:-}/conf java-home log4j2.properties spark-defaults.conf spark-env.sh")
      if [ -f "$quotelake_made/classes.jsa" ] || [ -n "${QUOTELAKE_ARCHIVE:-}" ]; then
        SPARK_SUBMIT_OPTS="-XX:${QUOTELAKE_ARCHIVE:-SharedArchiveFile}=$quotelake_made/classes.jsa -Xlog:cds*=off \
-Dlog4j2.configurationFile=file:$SPARK_CONF_DIR/log4j2.properties $SPARK_SUBMIT_OPTS"
        set -- "$1" --properties-file "$SPARK_CONF_DIR/spark-defaults.conf" "${@:2}"
        SPARK_CONF_DIR="$quotelake_made/empty"
      fi ;;
  esac
  # Temporary files of a run lie in a folder of its own, which is locked while its Java lives: the next run removes
  # those of dead ones. Spark's own clean-up does not survive SIGKILL. A list of folders is left to the operator.
  quotelake_base="${SPARK_LOCAL_DIRS:-${TMPDIR:-/tmp}}/quotelake-$(id -u)"
  case "$quotelake_base" in *,*) ;; *)
    if mkdir -p -m 700 "$quotelake_base" && [ -O "$quotelake_base" ] && [ ! -L "$quotelake_base" ] &&
      command -v flock >/dev/null && exec 8>"$quotelake_base/lock" && flock 8; then
      for quotelake_folder in "$quotelake_base"/run-*/; do
        [ ! -e "$quotelake_folder" ] || flock -n "$quotelake_folder" rm -rf "$quotelake_folder" || :
      done
      SPARK_LOCAL_DIRS="$(mktemp -d "$quotelake_base/run-XXXXXX")" && exec 9<"$SPARK_LOCAL_DIRS" && flock 9
      export SPARK_LOCAL_DIRS
      SPARK_SUBMIT_OPTS="-Djava.io.tmpdir=$SPARK_LOCAL_DIRS $SPARK_SUBMIT_OPTS"
      exec 8>&- # the next run may look now; Java keeps 9
    fi ;;
  esac
  # Spark makes this folder for tables that no lake has, else where the run was started.
  quotelake_folder="${SPARK_LOCAL_DIRS:-$quotelake_base}"
  SPARK_SUBMIT_OPTS="-Dspark.sql.warehouse.dir=file:${quotelake_folder%%,*}/warehouse $SPARK_SUBMIT_OPTS"
  # The Python that this Spark is installed for, also where no environment is activated.
  quotelake_folder="${SPARK_HOME:-}/../../../../bin"
  [ ! -x "$quotelake_folder/python3" ] || export PYSPARK_PYTHON="${PYSPARK_PYTHON:-$(cd "$quotelake_folder" && pwd)/python3}"
  # glibc gives each of Java's many threads a heap of its own outside Java's, and keeps what these held at most: on a
  # first load of 41,760 articles the JVM took 2.5 GB, with two such heaps 2.1.
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
fi
unset quotelake_local quotelake_before quotelake_argument quotelake_base quotelake_folder quotelake_made
