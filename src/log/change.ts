import { CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Writer } from '../db/database.ts'
import type { Database, Rows } from '../db/schema.ts'
import type { Json } from '../lib/json.ts'
import { firstIn } from '../lib/must.ts'
import type { Actor } from './audit/actor.ts'
import { auditPlanOf } from './audit/kinds.ts'
import { AuditTrail, type Note } from './audit/trail.ts'
import { type BatchedWrite, statementFor } from './batched-write.ts'
import { type Consequence, consequencesOf, DueRows } from './consequences.ts'
import type { Audience, Bounds, ClientEvent, RowImage } from './entry.ts'
import { logLimits } from './limits.ts'
import type { RealmState } from './realm-state.ts'
import { keyColumns, keyOf } from './row-keys.ts'
import { isStateTable, stateKey } from './state-tables.ts'

type Table = keyof Database
type Row<T extends Table> = Rows[T]
type Columns<T extends Table> = Partial<Selectable<Database[T]>>

/** An event that has no number yet. */
type PendingEvent = { event: ClientEvent; audience: Audience; body?: unknown }

/**
 * A change under way: everything that a command can do in a `commit`, inside its transaction and under the lock of the organization's head
 * row. `state` is true to the log at this moment, so a check against it cannot race. The change collects the images of the rows of state
 * tables that it writes, for the log. Events and rows become durable together or not at all.
 */
export class Change {
  readonly state: RealmState
  readonly now: number
  readonly events: PendingEvent[] = []
  readonly images: RowImage[] = []
  lastMessageId: number
  private readonly trx: Writer
  private readonly consequences: readonly Consequence[]
  /** The rows for which `emit`, `write` and `emitLast` of the consequences are due; see Consequence. */
  private readonly dueEvents: DueRows
  private readonly dueWrites: DueRows
  private readonly dueLast: DueRows
  private draft: RealmState | undefined
  private isEmitting = false
  private readonly trail: AuditTrail

  constructor(
    state: RealmState,
    trx: Writer,
    now: number,
    consequences: readonly Consequence[],
    trail: AuditTrail,
  ) {
    this.state = state
    this.trx = trx
    this.lastMessageId = state.lastMessageId
    this.now = now
    this.consequences = consequences
    this.trail = trail
    this.dueEvents = new DueRows(state)
    this.dueWrites = new DueRows(state)
    this.dueLast = new DueRows(state)
  }

  /** Creates the change of a new organization: the state takes in each row immediately, and no consequences follow. */
  static ofNewRealm(state: RealmState, trx: Writer, now: number, actor: Actor): Change {
    const change = new Change(state, trx, now, [], new AuditTrail(actor, true))
    change.draft = state
    return change
  }

  /** The state with the rows that this change has written so far. It must not outlive the change. */
  get next(): RealmState {
    this.draft ??= this.state.draft()
    return this.draft
  }

  /** Takes the id of the organization's next message, which this change must insert. */
  nextMessageId() {
    this.lastMessageId += 1
    return this.lastMessageId
  }

  /** Emits an event, which its audience gets once this change is durable; before it, the events that follow from rows. `body`: see Entry. */
  emit(event: ClientEvent, audience: Audience, body?: unknown) {
    this.emitConsequences()
    this.events.push({ event, audience, body })
  }

  /** Names this user as the actor in the audit log: one who has just proved their identity by a password or a link. */
  actFor(userId: number) {
    this.trail.actor = { ...this.trail.actor, userId }
  }

  /** Adds an entry to the audit log that follows from no row. Entries that follow from rows need no call. */
  note(note: Note) {
    this.trail.note(note)
  }

  /** Applies the consequences that are still due, and writes the audit log. Only the log calls this, when the work of a commit is done. */
  async finish() {
    await this.writeConsequences()
    await this.emitPrepared()
    const due = this.dueLast.take(this)
    if (due)
      for (const consequence of consequencesOf(this.consequences, due)) consequence.emitLast?.(due.rowChanges)
    if (this.trail.isEmpty) return
    await this.insertAll('audit_entry', this.trail.entries(this.state, this.next, this.now))
  }

  /** Writes an item of a batched write as part of this change, with its event. Returns its message id, as commitInGroup does. */
  async add<Item extends Json>(kind: BatchedWrite<Item>, item: Item): Promise<number> {
    return firstIn(await this.addAll(kind, [item]))
  }

  /** Writes many items of a batched write in one statement, with their events. Returns their message ids. */
  async addAll<Item extends Json>(kind: BatchedWrite<Item>, items: Item[]): Promise<number[]> {
    const head = { realmId: this.state.id, now: this.now }
    const numbered = items.map((item) => ({
      item,
      messageId: kind.takesMessageId ? this.nextMessageId() : this.lastMessageId + 1,
    }))
    const statement = statementFor(kind, numbered, head)
    if (statement && items.length > 0)
      await this.trx.executeQuery(CompiledQuery.raw(statement.text, statement.values))
    for (const { item, messageId } of numbered) {
      const { event, audience, body } = kind.entry(item, messageId, this.now, this.state)
      this.emit(event, audience, body)
    }
    return numbered.map(({ messageId }) => messageId)
  }

  /** Inserts a row, and returns it as stored. */
  async insert<T extends Table>(table: T, row: Columns<T>): Promise<Row<T>> {
    return firstIn(await this.insertAll(table, [row]))
  }

  /** Inserts rows that have the same columns, in one statement; returns them as stored, in the same order. */
  async insertAll<T extends Table>(table: T, rows: Columns<T>[]): Promise<Row<T>[]> {
    if (rows.length === 0) return []
    const columns = this.columns(table, firstIn(rows))
    return this.write(
      table,
      sql`INSERT INTO ${sql.table(table)} (${columns}) SELECT ${columns} FROM ${this.recordset(table, rows)} RETURNING *`,
    )
  }

  /** Updates the row that has the given key columns, and returns it as stored. Throws if there is none. */
  async update<T extends Table>(table: T, row: Columns<T>): Promise<Row<T>> {
    const [updated] = await this.updateAll(table, [row])
    if (!updated) throw new Error(`no such row in ${table}: ${JSON.stringify(row)}`)
    return updated
  }

  /**
   * Updates rows by their key columns, in one statement. All must have the same columns. Returns those that exist as stored, in the given
   * order, which is also the order of the events that follow from them.
   */
  async updateAll<T extends Table>(table: T, rows: Columns<T>[]): Promise<Row<T>[]> {
    if (rows.length === 0) return []
    const assignments = Object.keys(firstIn(rows))
      .filter((column) => !keyColumns(table).includes(column))
      .map((column) => sql`${sql.ref(column)} = x.${sql.ref(column)}`)
    const before = await this.auditedRows(table, rows)
    return this.write(
      table,
      sql`UPDATE ${sql.table(table)} t SET ${sql.join(assignments)} FROM ${this.recordset(table, rows)}
          WHERE ${this.sameKey(table)} RETURNING t.*`,
      { before, order: rows },
    )
  }

  /** Deletes the rows that have the given key columns. */
  async deleteAll<T extends Table>(table: T, rows: Columns<T>[]): Promise<void> {
    if (rows.length === 0) return
    const before = await this.auditedRows(table, rows)
    for (const [key, row] of before) this.trail.add(table, key, row, null)
    await this.run(
      sql`DELETE FROM ${sql.table(table)} t USING ${this.recordset(table, rows)} WHERE ${this.sameKey(table)}`,
    )
    if (isStateTable(table)) for (const row of rows) this.recordImage([table, stateKey(table, row), null])
  }

  /** Records and returns the new bounds of a conversation whose messages were moved or deleted. */
  async noteBounds(recipient: number): Promise<Bounds> {
    const rows = await this.run(sql<Bounds>`SELECT min(id) AS oldest, max(id) AS newest FROM message
      WHERE realm_id = ${this.state.id} AND recipient_id = ${recipient}`)
    const bounds = firstIn(rows)
    this.recordImage(['bounds', recipient, bounds])
    return bounds
  }

  /** Runs a statement on tables that are not part of the state, such as read state and messages. Returns its rows. */
  async run<T>(statement: RawBuilder<T>): Promise<T[]> {
    return (await statement.execute(this.trx)).rows
  }

  /** Moves the head of the log on to the last number that this change took. Only the log calls this. */
  async advanceHead(lastEventId: number, stamp: number) {
    await this.run(
      sql`UPDATE realm_head
          SET last_event_id = ${lastEventId}, last_message_id = ${this.lastMessageId}, stamp = ${stamp}
          WHERE realm_id = ${this.state.id}`,
    )
  }

  private async write<T extends Table>(
    table: T,
    statement: RawBuilder<unknown>,
    { before, order }: { before?: Map<string, object>; order?: object[] } = {},
  ): Promise<Row<T>[]> {
    const written = (await this.run(statement)) as Row<T>[]
    const rows = order ? inOrder(table, order, written) : written
    if (isStateTable(table)) {
      for (const row of rows) this.recordImage([table, stateKey(table, row), row])
    } else if (auditPlanOf(table)) {
      for (const row of rows)
        this.trail.add(table, keyOf(table, row), before?.get(keyOf(table, row)) ?? null, row)
    }
    return rows
  }

  /** Returns rows as they are before this change writes them, by key; none of a table that is not audited, or that is in memory. */
  private async auditedRows(table: Table, rows: object[]): Promise<Map<string, object>> {
    if (isStateTable(table) || !auditPlanOf(table)) return new Map()
    const found = await this.run(
      sql<object>`SELECT t.* FROM ${sql.table(table)} t, ${this.recordset(table, rows)} WHERE ${this.sameKey(table)}`,
    )
    return new Map(found.map((row) => [keyOf(table, row), row]))
  }

  private recordImage(image: RowImage) {
    this.images.push(image)
    const [table, key] = image
    if (table === 'bounds') return
    this.trail.add(table, key, this.state.rowIn(table, key), image[2])
    this.next.put(image)
    this.dueEvents.add(table, key)
    this.dueWrites.add(table, key)
    this.dueLast.add(table, key)
  }

  private async writeConsequences() {
    for (let round = 0; ; round++) {
      const due = this.dueWrites.take(this)
      if (!due) return
      if (round === logLimits.consequenceRounds) throw new Error('consequences have consequences without end')
      for (const consequence of consequencesOf(this.consequences, due))
        await consequence.write?.(due.rowChanges)
      this.dueWrites.settle(due)
    }
  }

  /** Emits the consequences of the rows that were written after the last event of the operation. These can be prepared first. */
  private async emitPrepared() {
    const due = this.dueEvents.take(this)
    if (!due) return
    for (const consequence of consequencesOf(this.consequences, due))
      await consequence.prepare?.(due.rowChanges)
    this.emitConsequences(due)
  }

  private emitConsequences(due = this.isEmitting ? undefined : this.dueEvents.take(this)) {
    if (!due) return
    this.isEmitting = true
    try {
      for (const consequence of consequencesOf(this.consequences, due)) consequence.emit?.(due.rowChanges)
    } finally {
      this.isEmitting = false
    }
    this.dueEvents.settle(due)
  }

  // The rows are sent as one JSON value: one parameter for any number of rows, whatever their types.
  private recordset(table: Table, rows: object[]) {
    const json = JSON.stringify(rows.map((row) => this.withRealm(table, row)))
    return sql`json_populate_recordset(null::${sql.table(table)}, ${json}::json) x`
  }

  private columns(table: Table, row: object) {
    return sql.join(Object.keys(this.withRealm(table, row)).map((column) => sql.ref(column)))
  }

  private withRealm(table: Table, row: object) {
    return table === 'realm' ? row : { realm_id: this.state.id, ...row }
  }

  private sameKey(table: Table) {
    const columns = table === 'realm' ? ['id'] : ['realm_id', ...keyColumns(table)]
    const parts = columns.map((column) => sql`t.${sql.ref(column)} = x.${sql.ref(column)}`)
    return sql.join(parts, sql` AND `)
  }
}

/** Returns the rows in the order of those that were given: an UPDATE returns them in the order of its plan. */
function inOrder<T extends Table>(table: T, given: object[], rows: Row<T>[]): Row<T>[] {
  const byKey = new Map(rows.map((row) => [keyOf(table, row), row]))
  return [...new Set(given.map((row) => keyOf(table, row)))].flatMap((key) => byKey.get(key) ?? [])
}
