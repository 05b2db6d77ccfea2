import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest where nothing is known of earlier runs, the longest first. */
const longest = [
  'test/largest/largest.test.ts',
  'src/http/fuzz.test.ts',
  'src/features/channels/channels/random-changes.test.ts',
  'test/faults.test.ts',
  'src/cli/export.test.ts',
  'src/cli/cli.test.ts',
  'src/cli/life.test.ts',
  'src/features/notifications/mail/crash.test.ts',
  'test/hidden-names.test.ts',
  'test/new.test.ts',
  'src/jobs/jobs.test.ts',
  'src/features/bots/outgoing-webhooks/outgoing.test.ts',
  'src/features/clients/exports/faults.test.ts',
  'test/built.test.ts',
  'src/cli/restored.test.ts',
  'src/cli/serve.test.ts',
]

/** Begins with the longest test files, so that the processes end together. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = longest.findIndex((path) => moduleId.endsWith(path))
      return rank < 0 ? longest.length : rank
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b))
  }
}
