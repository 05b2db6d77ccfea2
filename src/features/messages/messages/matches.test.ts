import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { tries } from '../../../../test/effort.ts'
import { pickFrom, randomFrom, seedOfRun } from '../../../../test/random.ts'
import { testServer } from '../../../../test/test-server.ts'
import { searchQuery } from '../../../narrow/search-sql.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'
import { matchesIn } from './matches.ts'

const server = testServer()

const words =
  `dog Dogs DOGGING running runs sky skies dying die lying the über Über école e\u0301cole straße K kilo
  İstanbul ıstanbul привет приветы 3dogs dogs3 10km -5 1.5 1e5 2024 v1.2.3 foo-bar foo_bar foo/bar /usr/lib/dog.html
  http://example.com/dog?x=dog#y dog@example.com example.com don't dog's ~dog @dog *dog* (dog) well-known-dog U.S.A
  a.b.c dog:cat ﬁre ſun sun x , . - / 😀`.split(/\s+/)
const between = [' ', ' ', ' ', '', '\n', '\t', '\r', '\u00a0', '\u200b', '\ufeff']

test('what PostgreSQL finds of a search in a text is highlighted, whatever stands around it', async () => {
  const { read } = server.node.app.realms.connections
  const random = randomFrom(seedOfRun('highlights'))
  const textOf = (count: number) =>
    Array.from({ length: count }, () => pickFrom(random, words) + pickFrom(random, between)).join('')
  for (let i = 0; i < tries(1_000); i++) {
    const [search, text] = [textOf(1 + (i % 3)).trim(), textOf(12)]
    const [message] = await matchesIn(
      read,
      search,
      [{ contentJson: JSON.stringify(text) } as PageMessage],
      () => '',
    )
    const [found] = await read.rows<{ text: string }>(
      sql`SELECT ts_headline('english', ${text}, ${searchQuery(search)},
        'HighlightAll=true, StartSel=«, StopSel=»') AS text`,
    )
    const marked = message?.match_content
      .replaceAll('<span class="highlight">', '«')
      .replaceAll('</span>', '»')
    expect(marked, search).toBe(found?.text)
  }
})
