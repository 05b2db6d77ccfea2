import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runHere } from '../../test/command-line.ts'

test('every command but the server writes JSON if it is asked to', async () => {
  const { stdout } = await runHere('help')
  const names = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= |$)/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(40)
  for (const name of names) {
    const { stdout: help } = await runHere([...name.split(' '), '--help'])
    const isServer = ['serve', 'completion', 'help'].includes(name)
    expect(help.includes('--json'), name).toBe(!isServer)
  }
})

test('the help has no values that only programs understand', async () => {
  for (const words of ['user permission', 'channel create', 'backup']) {
    expect((await runHere(`${words} --help`)).stdout).not.toMatch(/default: *(\[\]|false)/)
  }
})

test('an option of all commands that stands before the command is told to stand after it', async () => {
  for (const option of ['--data', '--config', '--json', '--realm']) {
    expect(await runHere(`${option} x user list`)).toMatchObject({
      status: 2,
      stderr: `Write the option ${option} after the command, as in rookery user list ${option}.\n`,
    })
  }
})

test('an export to standard output is refused, rather than written to a file of that name', async () => {
  for (const words of ['export -', 'user export owner@example.com -']) {
    expect(await runHere(words)).toMatchObject({
      status: 2,
      stderr: 'An export is not written to standard output: name a file.\n',
    })
  }
})

test('an error is an object, too, and a sentence on stderr', async () => {
  const misused = await runHere('user list nonsense --json')
  expect(misused.status).toBe(2)
  expect(JSON.parse(misused.stdout)).toEqual({ result: 'error', code: 'USAGE', msg: misused.stderr.trim() })
  const failed = await runHere('mail show 1 --json', {
    DATABASE_URL: 'postgres://127.0.0.1:1/x',
    ROOKERY_DATA: '/nowhere',
  })
  expect(failed.status).toBe(1)
  expect(JSON.parse(failed.stdout)).toMatchObject({ result: 'error', code: 'FAILED' })
})

test.each(['bash', 'zsh', 'fish'])(
  'the completion for %s has all commands and their options',
  async (shell) => {
    const { status, stdout } = await runHere(`completion ${shell}`)
    expect(status).toBe(0)
    for (const word of ['user', 'import', 'channel', 'archive', 'settings', 'audit', 'dry-run', 'json']) {
      expect(stdout).toContain(word)
    }
  },
)

test('the completion for bash completes commands, commands of groups, and options', async () => {
  const { stdout } = await runHere('completion bash')
  const complete = async (...words: string[]) => {
    const script = `${stdout}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})\nCOMP_CWORD=${words.length - 1}\n_rookery\nprintf '%s\\n' "\${COMPREPLY[@]}"`
    return (await promisify(execFile)('bash', ['-c', script])).stdout.trim().split('\n')
  }
  expect(await complete('rookery', 'us')).toEqual(['user'])
  expect(await complete('rookery', 'user', 'dea')).toEqual(['deactivate'])
  expect(await complete('rookery', 'user', 'import', '--d')).toEqual(['--dry-run', '--data'])
  expect(await complete('rookery', 'user', 'import', 'people.csv', '--re')).toEqual(['--realm'])
  expect(await complete('rookery', 'audit', '--k')).toEqual(['--kind'])
})

test('there is no completion for other shells', async () => {
  const { status, stderr } = await runHere('completion tcsh')
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'There is no completion for tcsh; there is one for bash, zsh and fish.\n',
  })
})
