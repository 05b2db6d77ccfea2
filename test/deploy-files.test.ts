import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// The examples below deploy/ that no test can run: what a review found wrong in them once stays right.

const example = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('Kubernetes sets no variables for the Service, whose names would look like settings', () => {
  const manifest = example('deploy/kubernetes/rookery.yaml')
  expect(manifest).toMatch(/kind: Service\nmetadata:\n {2}name: rookery\n/)
  expect(manifest).toMatch(/^ {6}enableServiceLinks: false$/m)
})

test('the ConfigMap of the manifest holds no keys', () => {
  const parts = example('deploy/kubernetes/rookery.yaml').split('\n---\n')
  const settings = parts.find((part) => part.includes('kind: ConfigMap'))!
  expect(settings).not.toMatch(/^ {2}(DATABASE_URL|ROOKERY_SECRET|\w+_KEY|\w+_PASSWORD):/m)
})

test("commands and backups reach the socket of the server's PostgreSQL, which is in no private /tmp", () => {
  const [server, backup] = ['rookery', 'rookery-backup'].map((name) =>
    example(`deploy/systemd/${name}.service`),
  )
  expect(server).toMatch(/^Environment=.* TMPDIR=\/run\/rookery$/m)
  expect(server).toMatch(/^RuntimeDirectory=rookery\nRuntimeDirectoryMode=0700$/m)
  for (const unit of [server, backup]) expect(unit).toMatch(/^User=rookery$/m)
})

test('systemd never gives up a server, which may wait longer for its database than a few starts take', () => {
  const unit = example('deploy/systemd/rookery.service')
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=on-failure$/m)
})

test('secrets beside the compose file are neither committed nor part of the image', () => {
  for (const file of ['.gitignore', 'deploy/Dockerfile.dockerignore']) {
    expect(example(file), file).toMatch(/^deploy\/secrets\/?$/m)
    expect(example(file), file).toMatch(/^(\*\*\/)?\*\.env$/m)
  }
})
