import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first, if there are no times of an earlier run. */
const longest = [
  'test/web/feed/long-history.test.ts',
  'src/http/fuzz.test.ts',
  'src/http/declared-edges.test.ts',
  'src/http/twice-concurrently.test.ts',
  'src/cli/backup/backup.test.ts',
  'test/built.test.ts',
  'test/faults.test.ts',
  'test/largest/largest.test.ts',
  'test/web/store/offline.test.ts',
  'test/web/message/bulk-actions.test.ts',
  'test/web/feed/scrolling.test.ts',
  'test/web/store/restart.test.ts',
  'test/web/shell/accessibility.test.ts',
  'test/web/settings/organization-settings.test.ts',
  'test/web/settings/organization-records.test.ts',
  'src/cli/cli.test.ts',
  'src/cli/serve/serve.test.ts',
  'test/web/channels/channel-settings.test.ts',
  'test/web/shell/shortcuts.test.ts',
  'src/jobs/jobs.test.ts',
  'test/web/store/failures.test.ts',
  'test/web/compose/writing.test.ts',
  'src/features/clients/events/stream.test.ts',
  'test/web/store/warm-start.test.ts',
  'src/features/notifications/mail/crash.test.ts',
  'test/web/search/finding.test.ts',
  'test/web/parts/dialogs.test.ts',
  'test/web/settings/personal-settings.test.ts',
  'src/postgres/embedded.test.ts',
  'test/hidden-names.test.ts',
  'test/web/store/many-tabs.test.ts',
  'src/features/notifications/incoming-mail/hostile-mail.test.ts',
  'test/web/shell/hints.test.ts',
  'test/web/groups/groups.test.ts',
  'test/web/shell/push.test.ts',
  'test/web/message/message-actions.test.ts',
  'test/web/shell/first-hour.test.ts',
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
