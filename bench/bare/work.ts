import type pg from 'pg'
import type { Answer } from './http.ts'

/** What a bare server does for a request: statements, one after the other, and then the very bytes that ours answers. */
export type BareWork = { statements: Statement[]; answer: Answer }

/** `name`: it is prepared. A value may be `idsBefore`. */
export type Statement = { text: string; values?: unknown[]; name?: string }

/** As a value: the ids in the rows of the statement before. */
export const idsBefore = 'IdsOfTheStatementBefore'

export async function workOn(client: pg.Client, { statements }: BareWork) {
  let ids: unknown[] = []
  for (const { values = [], ...statement } of statements) {
    const given = values.map((value) => (value === idsBefore ? ids : value))
    const { rows } = await client.query({ ...statement, values: given })
    ids = rows.map(({ id }) => id)
  }
}
