import { cliCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { say } from '../output.ts'
import { examine, type Finding } from './checks.ts'

export const doctor = cliCommand('doctor', {
  summary: 'look at what usually is wrong, and say what to do',
  details: `Looks at Node, the data directory, the disk, the last backup, the secret, the database and what its role may do, poolers,
the clock, stuck work, NATS, the mail server, the bucket, the directory, the OpenID Connect provider, the push relay,
BigBlueButton, the public address, its certificate, the running server and the settings around a proxy. It leaves nothing behind: it sends no mail, and removes from the
bucket what it has put there. The exit status is 1 if something FAILs.`,
  async run(config) {
    const findings: Finding[] = []
    for await (const finding of examine(config)) {
      say(lineOf(finding))
      findings.push(finding)
    }
    const failed = findings.filter(({ level }) => level === 'FAIL').length
    const outcome = { text: '', data: { findings, failed } }
    if (failed === 0) return outcome
    const problem = `${failed} ${failed === 1 ? 'thing needs' : 'things need'} to be put right.`
    return { ...outcome, problem, exitCode: exitCodes.failed }
  },
})

function lineOf({ level, what, advice }: Finding) {
  return `${level.padEnd(4)}  ${what}${advice ? `\n      ${advice}` : ''}`
}
