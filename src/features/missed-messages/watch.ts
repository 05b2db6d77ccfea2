import { sql } from 'kysely'
import { limits } from '../../lib/limits.ts'
import type { Site } from '../../lib/site.ts'
import type { Realms } from '../../log/realms.ts'
import { noteMissed } from './note-missed.ts'

/**
 * Looks every moment, on this node, for organizations with messages whose readers may be away. Several nodes may do so:
 * each message is looked at once.
 */
export class MissedMessages {
  private readonly realms: Realms
  private readonly site: Site
  private readonly timer: NodeJS.Timeout
  private looking: Promise<void> | undefined
  private isClosed = false

  constructor(realms: Realms, site: Site, report: (error: unknown) => void) {
    this.realms = realms
    this.site = site
    this.timer = setInterval(() => {
      this.looking ??= this.look()
        .catch(report)
        .finally(() => {
          this.looking = undefined
        })
    }, limits.missedPollSeconds * 1000)
    this.timer.unref()
  }

  async close() {
    clearInterval(this.timer)
    this.isClosed = true
    await this.looking
  }

  private async look() {
    const { read } = this.realms.connections
    const behind = await read.rows<{ realm_id: number }>(sql`
      SELECT h.realm_id FROM realm_head h JOIN realm r ON r.id = h.realm_id
      LEFT JOIN missed_position p ON p.realm_id = h.realm_id
      WHERE h.last_message_id > coalesce(p.message_id, 0) AND NOT r.is_deactivated`)
    for (const { realm_id } of behind) {
      const log = await this.realms.byId(realm_id)
      while (!this.isClosed && (await noteMissed(log, read, this.site))) {}
    }
  }
}
