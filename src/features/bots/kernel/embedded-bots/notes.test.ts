import { expect, test } from 'vitest'
import { noteLimits } from './limits.ts'
import { notes } from './notes.ts'

/** Returns the reply and the values to store, given Ben's existing notes. */
async function ask(text: string, kept: Record<string, string> = {}) {
  const sender = { id: 1, name: 'Ben', mention: '@_**Ben|1**' }
  const stored = async (prefix: string) =>
    Object.fromEntries(Object.entries(kept).filter(([key]) => key.startsWith(prefix)))
  return notes.respond({ text, sender, config: {}, stored })
}

test.each([
  'save',
  'save x',
  'save a/b text',
  `save ${'x'.repeat(41)} text`,
  'show',
  'list all',
  'show two words',
  'make tea',
  '',
])('replies to the unknown command %j with its help', async (odd) => {
  expect(await ask(odd)).toEqual({ say: expect.stringContaining('`save NAME TEXT`') })
})

test('names of notes ignore case', async () => {
  expect(await ask('SAVE Milch zwei')).toMatchObject({ keep: { 'note 1 milch': 'zwei' } })
  expect(await ask('show MILCH', { 'note 1 milch': 'zwei' })).toEqual({ say: '```quote\nzwei\n```' })
})

test('notes of other users are not visible', async () => {
  const kept = { 'note 11 milk': 'two', 'note 2 milk': 'three' }
  expect(await ask('list', kept)).toEqual({ say: 'You have no notes.' })
  expect(await ask('show milk', kept)).toEqual({ say: 'You have no note of that name.' })
  expect(await ask('delete milk', kept)).toEqual({ say: 'You have no note of that name.' })
})

test('a note has a maximum length', async () => {
  expect(await ask(`save long ${'x'.repeat(noteLimits.noteLength)}`)).toHaveProperty('keep')
  expect(await ask(`save long ${'x'.repeat(noteLimits.noteLength + 1)}`)).not.toHaveProperty('keep')
})
