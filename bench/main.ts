import { mkdir, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { groupBy } from '../src/lib/collections/group-by.ts'
import { Bench, type Result, type RunOptions, type Scenario, seeded } from './bench.ts'
import { holds } from './budgets.ts'
import { compare } from './compare.ts'
import { DatabaseServer, dataDirectory, makeDataDirectory } from './database.ts'
import { reportText } from './report.ts'
import { curves } from './scenarios/curves.ts'
import { deliver } from './scenarios/deliver.ts'
import { fetch } from './scenarios/fetch.ts'
import { measureFollow } from './scenarios/follow.ts'
import { growth } from './scenarios/growth.ts'
import { measureLarge } from './scenarios/large.ts'
import { measureNodes } from './scenarios/nodes.ts'
import { measureOrganizations } from './scenarios/organizations.ts'
import { overload } from './scenarios/overload.ts'
import { measurePauses } from './scenarios/pauses.ts'
import { measurePermissions } from './scenarios/permissions.ts'
import { presence } from './scenarios/presence.ts'
import { register } from './scenarios/register.ts'
import { measureRender } from './scenarios/render.ts'
import { returning } from './scenarios/return.ts'
import { searching } from './scenarios/search.ts'
import { send } from './scenarios/send.ts'
import { measureStart } from './scenarios/start.ts'
import { subscribe } from './scenarios/subscribe.ts'
import { unread } from './scenarios/unread.ts'
import { users } from './scenarios/users.ts'
import { web } from './scenarios/web.ts'
import { webDay } from './scenarios/web-day.ts'
import { type Organization, seed, size } from './seed.ts'
import { measureSeries } from './series.ts'

const usage = `npm run bench [-- [SCENARIO …] [--seconds N] [--json FILE] [--messages N] [--check] [--profile DIRECTORY]]
npm run bench -- [SCENARIO …] [--seconds N] [--json FILE] --compare REVISION [--rounds N]

SCENARIO         send, deliver, return, fetch, register, users, subscribe, presence, search, overload, unread, web, web-day, permissions,
                 render, start; all of them if none is named. And growth, members, channels, messages, queues,
                 organizations, follow, nodes, large and pauses, which take long: they only run if they are named. For follow and
                 nodes, nats-server should be on the path or at TEST_NATS_SERVER
--messages N     of how many messages the organization of large is (1000000)
--seconds N      how long each figure is measured (5)
--json FILE      where the figures go (bench/results/<time>.json)
--check          exit with 1 if a budget does not hold
--profile DIR    write a processor profile of the server there, one directory per scenario
--compare REV    measure this revision of the repository and the present one by turns, and print the ratios
--rounds N       how often each of the two is measured (3)
`

const scenarios: Scenario[] = [
  send,
  deliver,
  returning,
  fetch,
  register,
  users,
  subscribe,
  presence,
  searching,
  overload,
  unread,
  web,
  webDay,
]
const start = { name: 'start', title: 'From the command to the first answer' }
const rendering = { name: 'render', title: 'Markdown to HTML, on one core' }
const permissions = {
  name: 'permissions',
  title: 'Permission checks, 11,000 users, 1,000 groups in groups, on one core',
}
const usual = [...scenarios, permissions, rendering, start].map(({ name }) => name)

/** What has a PostgreSQL of its own, makes its organizations itself, and takes long. */
type Simulation = {
  name: string
  title: string
  run(database: DatabaseServer, options: Options, say: (text: string) => void): Promise<Result>
}

const simulations: Simulation[] = [
  {
    name: 'growth',
    title: 'The same work for 1,000, 10,000 and 100,000 users',
    run: (database, options) => measureSeries(database, growth, options, say),
  },
  ...curves.map((series) => ({
    name: series.of,
    title: `The same work for ten, a hundred and a thousand times as many ${series.of}`,
    run: (database: DatabaseServer, options: Options) => measureSeries(database, series, options, say),
  })),
  {
    name: 'organizations',
    title: '100 to 100,000 organizations in one database',
    run: measureOrganizations,
  },
  {
    name: 'follow',
    title: 'What a node spends on messages that another one takes',
    run: measureFollow,
  },
  {
    name: 'nodes',
    title: 'Sends through two servers; the rate is that of each second of the one that has most to do',
    run: measureNodes,
  },
  {
    name: 'large',
    title: 'One organization of 100,000 people, and two servers',
    run: measureLarge,
  },
  {
    name: 'pauses',
    title: 'How long one request in an organization of 100,000 people holds up others',
    run: measurePauses,
  },
]
const known = [...usual, ...simulations.map(({ name }) => name)]

const machine = `${cpus().length} × ${cpus()[0]?.model}`

type Options = RunOptions & {
  names: string[]
  json: string
  check: boolean
  messages: number
  /** A revision to compare with, and how often each of the two is measured. */
  compare: string | undefined
  rounds: number
}
type Outcome = { name: string; title: string; result?: Result; error?: string }

main(readArguments()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
  process.exit(1)
})

async function main(options: Options) {
  process.once('SIGINT', () => process.exit(130))
  await makeDataDirectory()
  say(`${machine}, Node ${process.versions.node}, load ${loadavg()[0]!.toFixed(2)}\n`)
  const outcomes: Outcome[] = []
  try {
    if (options.compare) {
      const { text, ...rows } = await compare(options.compare, { ...options, place: `${dataDirectory}other` })
      say(text)
      await writeFigures(options.json, rows)
      return
    }
    outcomes.push(...(await runOnServer(options)))
    if (options.names.includes(permissions.name)) {
      outcomes.push(await attempt(permissions, () => measurePermissions(options.seconds)))
    }
    if (options.names.includes(rendering.name)) {
      outcomes.push(await attempt(rendering, () => measureRender(options.seconds)))
    }
    if (options.names.includes(start.name)) outcomes.push(await attempt(start, measureStart))
    for (const simulation of simulations) {
      if (options.names.includes(simulation.name)) {
        outcomes.push(await attempt(simulation, () => simulate(simulation, options)))
      }
    }
  } finally {
    await rm(dataDirectory, { recursive: true, force: true })
  }
  await writeFigures(options.json, { outcomes })
  const broken = outcomes.some(({ error }) => error !== undefined)
  const missed = outcomes.some(missesBudget)
  if (broken || (options.check && missed)) process.exitCode = 1
}

function missesBudget({ result }: Outcome): boolean {
  return result?.findings.some((finding) => holds(finding) === false) ?? false
}

async function writeFigures(file: string, found: object) {
  const figures = { at: new Date().toISOString(), machine, node: process.versions.node, ...found }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
  say(`The figures are in ${file}.`)
}

/** The scenarios that need the organization; each gets a copy of it and a server of its own. */
async function runOnServer({ names, seconds, profile }: Options): Promise<Outcome[]> {
  const wanted = scenarios.filter(({ name }) => names.includes(name))
  if (wanted.length === 0) return []
  const database = await DatabaseServer.start()
  try {
    const outcomes: Outcome[] = []
    for (const [where, those] of groupBy(wanted, (scenario) => scenario.size ?? size)) {
      const started = performance.now()
      const organization = await seed(await database.create(seeded), where)
      const took = ((performance.now() - started) / 1000).toFixed(0)
      say(
        `PostgreSQL ${database.version}; an organization of ${where.messages} messages was made in ${took} s.\n`,
      )
      for (const scenario of those) {
        outcomes.push(
          await attempt(scenario, () => runOne(database, organization, scenario, { seconds, profile })),
        )
      }
      await database.drop(seeded)
    }
    return outcomes
  } finally {
    await database.stop()
  }
}

async function simulate({ run }: Simulation, options: Options): Promise<Result> {
  const database = await DatabaseServer.start()
  try {
    return await run(database, options, say)
  } finally {
    await database.stop()
  }
}

async function runOne(
  database: DatabaseServer,
  organization: Organization,
  scenario: Scenario,
  options: Pick<Options, 'seconds' | 'profile'>,
): Promise<Result> {
  const bench = await Bench.open(database, organization, { ...options, name: scenario.name })
  try {
    return await scenario.run(bench)
  } finally {
    await bench.close()
  }
}

async function attempt(
  { name, title }: { name: string; title: string },
  run: () => Promise<Result>,
): Promise<Outcome> {
  try {
    const result = await run()
    say(reportText(`${name}: ${title}`, result))
    return { name, title, result }
  } catch (error) {
    say(`${name}: did not run to its end: ${error instanceof Error ? error.message : error}\n`)
    return { name, title, error: String(error) }
  }
}

function readArguments(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '5' },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      profile: { type: 'string' },
      messages: { type: 'string', default: '1000000' },
      compare: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      help: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  const rounds = Number(values.rounds)
  const unknown = positionals.find((name) => !known.includes(name))
  const fault = unknown ? `There is no scenario ${unknown}.` : faultOf(values)
  if (values.help || fault || !(seconds > 0) || !(rounds >= 1)) {
    say(fault ? `${fault}\n\n${usage}` : usage)
    process.exit(values.help ? 0 : 1)
  }
  const byDefault = fileURLToPath(
    new URL(`results/${new Date().toISOString().replaceAll(':', '.')}.json`, import.meta.url),
  )
  return {
    names: positionals.length > 0 ? positionals : usual,
    seconds,
    json: values.json ? resolve(values.json) : byDefault,
    check: values.check,
    profile: values.profile && resolve(values.profile),
    messages: Number(values.messages),
    compare: values.compare,
    rounds,
  }
}

function faultOf({ compare, check, profile }: { compare?: string; check: boolean; profile?: string }) {
  if (compare === undefined || (!check && profile === undefined)) return undefined
  return `--compare takes no ${check ? '--check' : '--profile'}: it prints ratios, and neither checks budgets nor writes profiles.`
}

function say(text: string) {
  process.stdout.write(`${text}\n`)
}
