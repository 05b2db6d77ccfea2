import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { type App, buildApp, buildHttp, type Http } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { guard, ignore } from '../../lib/guard.ts'
import { must } from '../../lib/must.ts'
import { type Packet, primaryNumber, Siblings } from '../../lib/siblings.ts'
import { adaptersOf, siteOf } from '../context.ts'
import { warnOfFiles } from '../doctor/file-findings.ts'
import { secretsOf } from '../secret.ts'
import { endInOrder } from '../serve/life.ts'
import { listenOn } from '../serve/listen.ts'
import { takeMail } from '../serve/mail-in.ts'
import { configuredMonitoring, configuredTracing } from '../serve/monitoring.ts'
import { keepOwnerLink } from '../serve/owner-link.ts'
import { logInsteadOfPrinting } from '../serve/printing.ts'
import { serverLog } from '../serve/server-log.ts'
import { type Assignment, tasks } from './assignment.ts'
import { Outbox } from './outbox.ts'

/** Serves as one of several processes, as the primary says, which has started it. */
export async function serveAsWorker(config: Config, number: number) {
  const logger = serverLog({
    level: config.logLevel,
    base: { pid: process.pid, hostname: hostname(), worker: number },
  })
  logInsteadOfPrinting(logger)
  const send = must(process.send, 'primary').bind(process)
  // Without a primary, Node ends this process anyway.
  const outbox = new Outbox((packets) => send(packets, ignore))
  const siblings = new Siblings(number, config.workers, (packet) => outbox.add(packet))
  const starting = prepare(config, siblings, logger)
  const { end } = endInOrder(logger, async () => (await starting).stop(), true)
  siblings.hear(tasks.stop, () => end(0))
  siblings.hear(tasks.respond, ignore)
  siblings.hear<number>(tasks.listen, async (port) => listenOn((await starting).http, { ...config, port }))
  siblings.hear<Assignment>(tasks.serve, async (assignment) => (await starting).serve(assignment))
  const take = guard(ignore, (packets: Packet[]) => {
    for (const packet of packets) siblings.receive(packet)
  })
  process.on('message', take)
  siblings.tell(tasks.begun, null, primaryNumber)
  await starting
}

type Prepared = { http: Http; serve(assignment: Assignment): Promise<void>; stop(): Promise<void> }

async function prepare(config: Config, siblings: Siblings, logger: Logger): Promise<Prepared> {
  const monitoring = await configuredMonitoring(config, siblings)
  const tracer = await configuredTracing(config, logger)
  const watched = { logger, monitoring, tracer }
  const http = buildHttp({ ...config, ...watched })
  let app: App | undefined
  let stopLooking = async () => {}
  let endMail = async () => {}
  const stopping = new AbortController()
  return {
    http,
    async serve({ databaseUrl, publicUrl, ownerLink }) {
      const site = { ...siteOf({ ...config, publicUrl }, await secretsOf(config)), siblings }
      app = buildApp({ ...config, databaseUrl, site, adapters: adaptersOf(config), ...watched }, http)
      if (siblings.own !== 1) return
      // One worker is enough; another one takes its number if it ends.
      endMail = await takeMail(config, app)
      stopLooking = await keepOwnerLink(config, app.realms, site, ownerLink)
      for (const { read } of app.realms.databases.all) void warnOfFiles(config, read, logger, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await endMail()
      await stopLooking()
      await (app ?? { close: () => http.server.close() }).close()
      await tracer?.close()
    },
  }
}
