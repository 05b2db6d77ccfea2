import type * as Prometheus from 'prom-client'

/** Seconds. A send takes a few milliseconds, and one of over a second disturbs users. */
const fine = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Seconds. Every operation has a histogram, so these are few. */
const coarse = [0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** Makes metrics of our own in a registry. */
class Maker {
  private readonly prometheus: typeof Prometheus
  private readonly registers: Prometheus.Registry[]

  constructor(prometheus: typeof Prometheus, registry: Prometheus.Registry) {
    this.prometheus = prometheus
    this.registers = [registry]
  }

  counter<L extends string>(name: string, help: string, ...labelNames: L[]) {
    return new this.prometheus.Counter({ ...this.common(name, help), labelNames })
  }

  gauge<L extends string>(name: string, help: string, ...labelNames: L[]) {
    return new this.prometheus.Gauge({ ...this.common(name, help), labelNames })
  }

  histogram<L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) {
    return new this.prometheus.Histogram({ ...this.common(name, help), buckets, labelNames })
  }

  private common(name: string, help: string) {
    return { name: `rookery_${name}`, help, registers: this.registers }
  }
}

/** Makes all metrics of our own. docs/guide/monitoring.md explains them. */
export function createInstruments(
  prometheus: typeof Prometheus,
  ofNode: Prometheus.Registry,
  ofDatabase: Prometheus.Registry,
) {
  const make = new Maker(prometheus, ofNode)
  return {
    counted: countedBy(make),
    node: readFromNode(make),
    database: readFromDatabase(new Maker(prometheus, ofDatabase)),
  }
}

function countedBy(make: Maker) {
  return {
    requests: make.counter('http_requests_total', 'Requests that have ended.', 'operation', 'status'),
    refused: make.counter('requests_refused_total', 'Requests for which there was no room.', 'exceeded'),
    logins: make.counter('logins_total', 'Logins by method: accepted or refused.', 'method', 'outcome'),
    incomingMails: make.counter(
      'incoming_mails_total',
      'Mails that came in: posted, repeated (posted before), dropped, refused or failed.',
      'outcome',
    ),
    failures: make.counter(
      'failures_total',
      'Failures by component; server: failed work of its own.',
      'component',
    ),
    durations: make.histogram(
      'http_request_duration_seconds',
      'Time of requests, by operation.',
      coarse,
      'operation',
    ),
    sends: make.histogram('send_duration_seconds', 'Time from a message’s request to its response.', fine),
    deliveries: make.histogram(
      'delivery_duration_seconds',
      'Time from a commit to the waiting clients.',
      fine,
    ),
  }
}

function readFromNode(make: Maker) {
  return {
    build: make.gauge('build_info', 'Always 1; the version is a label.', 'version'),
    checks: make.gauge('health_check', 'Whether a check of /health/ready is ok.', 'check'),
    underWay: make.gauge('requests_under_way', 'Requests that this node works on.'),
    heavyWaiting: make.gauge(
      'heavy_requests_waiting',
      'Searches and pages of history that wait for their turn.',
    ),
    polls: make.gauge('open_polls', 'Long polls that wait for events.'),
    streams: make.gauge('open_streams', 'Event streams that wait for events.'),
    queues: make.gauge('event_queues', 'Event queues that this node has in memory.'),
    httpConnections: make.gauge('http_connections', 'Open connections of clients.'),
    connections: make.gauge('database_connections', 'Connections to the database.', 'pool', 'state'),
    databaseAnswers: make.gauge(
      'database_answers',
      'Whether a database says what waits in it, which the figures of all lack otherwise.',
      'database',
    ),
    replicaReads: make.counter(
      'replica_reads_total',
      'Reads that may go to the replica: those that did, and those that the primary did because it was behind or busy, failed, or was away.',
      'database',
      'outcome',
    ),
    replicaInUse: make.gauge('replica_in_use', 'Whether reads go to the replica.', 'database'),
    connectionsWaiting: make.gauge('database_connections_waiting', 'Callers that wait for one.', 'pool'),
    behindSeconds: make.gauge('log_behind_seconds', 'How long ago this node last knew that it had read all.'),
    diskFree: make.gauge('disk_free_bytes', 'Room on a disk; data: that of the data directory.', 'disk'),
    diskSize: make.gauge('disk_size_bytes', 'Size of that disk.', 'disk'),
    backup: make.gauge('last_backup_timestamp_seconds', 'When the last backup was complete.', 'kind'),
  }
}

/** Absent while the database cannot be asked. */
function readFromDatabase(make: Maker) {
  return {
    organizations: make.gauge('organizations_loaded', 'Organizations that this node has in memory.'),
    position: make.gauge('log_position', 'The sum of the log numbers that this node has reached.'),
    behind: make.gauge('log_behind_entries', 'Log entries that this node has yet to read.'),
    clockSkew: make.gauge('clock_skew_seconds', 'How far the clock of the database is ahead of this one.'),
    jobs: make.gauge('jobs_waiting', 'Jobs that are due.', 'kind'),
    jobsAge: make.gauge('jobs_oldest_seconds', 'For how long the oldest of them has been due.', 'kind'),
    jobsParked: make.gauge('jobs_parked', 'Jobs that were given up.', 'kind'),
    mails: make.gauge('mails', 'Mails of the last week that are not sent, by state.', 'state'),
    mailsAge: make.gauge('mails_oldest_waiting_seconds', 'Age of the oldest mail that waits.'),
    pushes: make.gauge('pushes_waiting', 'Notifications that wait for devices.'),
    pushesAge: make.gauge('pushes_oldest_seconds', 'Age of the oldest of them.'),
  }
}

export type Instruments = ReturnType<typeof createInstruments>
