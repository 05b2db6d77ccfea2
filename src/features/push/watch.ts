import { sql } from 'kysely'
import { limits } from '../../lib/limits.ts'
import type { Outside } from '../../lib/outside.ts'
import type { Site } from '../../lib/site.ts'
import type { Realms } from '../../log/realms.ts'
import { notePushes } from './note-pushes.ts'

/** Looks every moment, on this node, for organizations in which something has happened that devices may be told of. */
export class PushWatch {
  private readonly realms: Realms
  private readonly site: Site
  private readonly outside: Outside
  private readonly timer: NodeJS.Timeout
  private looking: Promise<void> | undefined
  private isClosed = false

  constructor(realms: Realms, site: Site, outside: Outside, report: (error: unknown) => void) {
    this.realms = realms
    this.site = site
    this.outside = outside
    this.timer = setInterval(() => {
      this.looking ??= this.look()
        .catch(report)
        .finally(() => {
          this.looking = undefined
        })
    }, limits.pushPollSeconds * 1000)
    this.timer.unref()
  }

  async close() {
    clearInterval(this.timer)
    this.isClosed = true
    await this.looking
  }

  private async look() {
    const { site, outside } = this
    const { read } = this.realms.connections
    const behind = await read.rows<{ realm_id: number }>(sql`
      SELECT h.realm_id FROM realm_head h JOIN realm r ON r.id = h.realm_id
      LEFT JOIN push_position p ON p.realm_id = h.realm_id
      WHERE NOT r.is_deactivated AND (h.last_event_id > p.event_id OR (p.event_id IS NULL
        AND EXISTS (SELECT FROM push_device d WHERE d.realm_id = h.realm_id)))`)
    for (const { realm_id } of behind) {
      const log = await this.realms.byId(realm_id)
      while (!this.isClosed && (await notePushes({ log, read, site, outside }))) {}
    }
  }
}
