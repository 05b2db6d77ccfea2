import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest where nothing is known of earlier runs, the longest first. */
const longest = [
  'test/largest/largest.test.ts',
  'test/web/failures.test.ts',
  'test/web/offline.test.ts',
  'src/http/fuzz.test.ts',
  'src/cli/backup.test.ts',
  'test/faults.test.ts',
  'src/markdown/highlight/every-language.test.ts',
  'src/cli/life.test.ts',
  'test/web/organization-records.test.ts',
  'src/features/channels/channels/random-changes.test.ts',
  'test/built.test.ts',
  'test/web/organization-settings.test.ts',
  'test/web/channel-settings.test.ts',
  'src/http/declared-edges.test.ts',
  'test/web/settings.test.ts',
  'src/features/notifications/mail/crash.test.ts',
  'test/web/organization-lists.test.ts',
  'test/hidden-names.test.ts',
  'src/jobs/jobs.test.ts',
  'test/web/warm-start.test.ts',
  'test/web/share.test.ts',
  'src/cli/serve.test.ts',
  'test/web/finding.test.ts',
  'test/web/push.test.ts',
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
