import { openPage, type webBrowser, webUser } from '../browser/chromium.ts'
import type { Organization } from '../organization.ts'

/** The scene of a section of the organization's settings: Olga, an owner, has it open in two tabs. Ana is a member. */
export async function ownerInTwoTabs(
  browser: ReturnType<typeof webBrowser>,
  organization: () => Promise<Organization>,
  section: string,
) {
  const org = await organization()
  const [olga, ana] = [await webUser(org, 'Olga Owner'), await webUser(org, 'Ana Ruiz')]
  await org.owner.patch(`/users/${olga.id}`, { role: 100 })
  const first = await browser.open(org, olga, `#organization/${section}`)
  const second = await openPage(first.context, `${first.url}#organization/${section}`)
  const state = async () => (await olga.register()).state
  return { org, olga, ana, page: first.page, other: second.page, first, second, state }
}
