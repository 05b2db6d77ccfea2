import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first, if there are no times of an earlier run. */
const longest = [
  'test/web/long-history.test.ts',
  'src/http/fuzz.test.ts',
  'src/http/declared-edges.test.ts',
  'src/http/twice-concurrently.test.ts',
  'src/cli/backup/backup.test.ts',
  'test/built.test.ts',
  'test/faults.test.ts',
  'test/largest/largest.test.ts',
  'test/web/offline.test.ts',
  'test/web/bulk-actions.test.ts',
  'test/web/scrolling.test.ts',
  'test/web/restart.test.ts',
  'test/web/accessibility.test.ts',
  'test/web/organization-settings.test.ts',
  'test/web/organization-records.test.ts',
  'src/cli/cli.test.ts',
  'src/cli/serve/serve.test.ts',
  'test/web/channel-settings.test.ts',
  'test/web/shortcuts.test.ts',
  'src/jobs/jobs.test.ts',
  'test/web/failures.test.ts',
  'test/web/writing.test.ts',
  'src/features/clients/events/stream.test.ts',
  'test/web/warm-start.test.ts',
  'src/features/notifications/mail/crash.test.ts',
  'test/web/finding.test.ts',
  'test/web/dialogs.test.ts',
  'test/web/personal-settings.test.ts',
  'src/postgres/embedded.test.ts',
  'test/hidden-names.test.ts',
  'test/web/many-tabs.test.ts',
  'src/features/notifications/incoming-mail/hostile-mail.test.ts',
  'test/web/hints.test.ts',
  'test/web/groups.test.ts',
  'test/web/push.test.ts',
  'test/web/message-actions.test.ts',
  'test/web/first-hour.test.ts',
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
