import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFaults } from './database-faults.ts'
import type { Fault } from './faults.ts'
import { machineFaults } from './machine-faults.ts'
import { serviceFaults } from './service-faults.ts'
import { type Told, Trial } from './trial.ts'

// Makes each fault beneath a server of its own, and checks what an administrator learns of it. FAULTS=/a/file.md writes the
// table of the outcomes.

const all = [...databaseFaults, ...serviceFaults, ...machineFaults]
const outcomes = new Map<string, Told>()

/** The findings of doctor on a server without faults: that it has no backup, and so on. */
let usual: string[] = []

beforeAll(async () => {
  const trial = await Trial.create()
  await trial.start()
  usual = await trial.doctor()
  await trial.close()
})

afterAll(async () => {
  const file = process.env.FAULTS
  if (file) await writeFile(file, `${introduction}\n${table()}`)
})

test.each(all.map((fault) => [fault.name, fault] as const))(
  '%s',
  { timeout: 120_000 },
  async (name, fault) => {
    const trial = await Trial.create()
    try {
      await fault.before?.(trial)
      await trial.start()
      if (fault.cause) await trial.noteCalm()
      await fault.cause?.(trial)
      const told = await listen(trial, fault)
      const doctor = (await trial.doctor(usual)).slice(0, 2).join('; ')
      outcomes.set(name, { ...told, doctor })
      for (const [where, pattern] of Object.entries(fault.expected)) {
        expect(outcomes.get(name)![where as keyof Told], where).toMatch(pattern)
      }
    } finally {
      await trial.close()
    }
  },
)

/** Lets users meet the fault until all is told that is expected, or half a minute is over. */
async function listen(trial: Trial, { meet, metrics, expected }: Fault): Promise<Omit<Told, 'doctor'>> {
  const end = performance.now() + 30_000
  for (;;) {
    void Promise.resolve(meet?.(trial)).catch(() => {})
    await sleep(500)
    const told = await trial.told(metrics)
    const isTold = (['ready', 'metrics', 'log'] as const).every(
      (where) => expected[where]?.test(told[where]) ?? true,
    )
    if (isTold || performance.now() > end) return told
  }
}

const introduction = `# Faults and what the server says of them

\`npm run test:faults\` causes each fault of this table while a server runs, or before it starts. It records what \`/health/ready\`, the
metrics, the log and \`rookery doctor\` report only when there is this fault. \`no response\` means that the server did not start, has ended, or
hangs; the log column then has its last line. [Troubleshooting](troubleshooting.md) lists symptoms, and what to do.
`

function table(): string {
  const cell = (text: string) => (text === '' ? '–' : text.replaceAll('|', '\\|').replaceAll('\n', ' '))
  const rows = [...outcomes].map(([name, { ready, metrics, log, doctor }]) =>
    [name, ready, metrics, log, doctor].map(cell).join(' | '),
  )
  const heads = ['fault', '`/health/ready`', '`/metrics`', 'log', '`rookery doctor`']
  return [`| ${heads.join(' | ')} |`, '|---|---|---|---|---|', ...rows.map((row) => `| ${row} |`), ''].join(
    '\n',
  )
}
