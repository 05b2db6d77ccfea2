import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ServerProcess } from '../../../test/processes/server-process.ts'
import { oddCharacters } from '../../../test/random/odd-characters.ts'
import { logInsteadOfPrinting } from './printing.ts'

/** KaTeX, for one, writes to the console about these commands, and about characters that it does not know. */
const tex = [
  ...[
    '\\message{printed}',
    '\\errmessage{printed}',
    '\\show\\printed',
    '\\show\\frac',
    '\\printed',
    '\\text{printed',
  ],
  ...[
    '\\def\\a{\\message{printed}}\\a\\a',
    '\\href{printed}{x}',
    '\\htmlClass{printed}{x}',
    '\\\\ printed %',
  ],
  ...oddCharacters.map(([, character]) => `\\text{printed ${character}} ${character}`),
]

test('a server that shows what users write prints nothing but its log', async () => {
  const server = await ServerProcess.create({ ROOKERY_LOG_LEVEL: 'info' })
  try {
    const owner = await server.owner()
    // The key is there before the greeting, which is no log line.
    await expect.poll(() => server.output, { timeout: 30_000 }).toContain('/zuliprc')
    server.output = ''
    for (const formula of tex) {
      const content = `$$${formula}$$\n\`\`\`math\n${formula}\n\`\`\`\n<time:${formula}> [x](${formula})\n\`\`\`py\n${formula}`
      for (const path of ['/messages/render', '/messages']) {
        const { status, text } = await owner.post(path, { type: 'direct', to: [owner.id], content })
        expect([200, 400], text).toContain(status)
      }
    }
  } finally {
    await server.remove()
  }
  const lines = server.output.split('\n').filter((line) => line !== '')
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number) })
  expect(server.output).toContain('stopping on SIGTERM')
  expect(server.output).not.toContain('printed')
})

test('what a library prints is not printed, and the log says where it was to be', async () => {
  const lines: string[] = []
  const { console: kept } = globalThis
  const listeners = process.listeners('warning')
  globalThis.console = Object.assign(Object.create(kept), kept)
  try {
    logInsteadOfPrinting(pino({}, { write: (line: string) => lines.push(line) }))
    for (let i = 0; i < 3; i++) console.warn('words of a user')
    console.table('words of a user')
    process.emitWarning('odd use', { code: 'ODD' })
    process.emitWarning('The database has gone back in time.')
    process.emitWarning(new Error('It broke.'))
    await expect.poll(() => lines.length).toBe(5)
  } finally {
    globalThis.console = kept
    process.removeAllListeners('warning')
    for (const listener of listeners) process.on('warning', listener)
  }
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged).toMatchObject([
    { msg: 'a library wanted to print', place: expect.stringContaining('printing.test.ts') },
    { msg: 'a library wanted to print', place: expect.stringContaining('printing.test.ts') },
    { msg: 'Node.js warning', err: { message: 'odd use' } },
    { msg: 'The database has gone back in time.' },
    { msg: 'work in the background failed', err: { message: 'It broke.' } },
  ])
  expect(lines.join()).not.toContain('words of a user')
})
