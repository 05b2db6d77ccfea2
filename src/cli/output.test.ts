import { spawnSync } from 'node:child_process'
import { expect, inject, test } from 'vitest'

const run = (pipe: string, words: string) =>
  spawnSync(
    'bash',
    ['-c', `set -o pipefail; "$0" "$1" ${words} ${pipe}`, process.execPath, inject('program')],
    {
      encoding: 'utf8',
    },
  )

test('a command whose output a full disk does not take fails, and says so', () => {
  for (const words of ['--version', 'help', 'completion bash']) {
    expect(run('> /dev/full', words), words).toMatchObject({
      status: 1,
      stderr: 'The output could not be written: the disk is full.\n',
    })
  }
  expect(run('> /dev/full', 'nonsense')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/nonsense/),
  })
  // A reader may have read enough.
  expect(run('| head -1', 'help')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: 'Usage: rookery COMMAND\n',
  })
})
