import { afterAll, expect, test } from 'vitest'
import { BigBlueButton } from '../../../src/adapters/big-blue-button.ts'
import { safeFetch } from '../../../src/adapters/safe-fetch.ts'
import { Zoom } from '../../../src/adapters/zoom.ts'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { ZoomServer } from '../../programs/zoom-server.ts'
import { testServer } from '../../test-server.ts'

const zoomServer = await new ZoomServer().start()
afterAll(() => zoomServer.close())
const reach = safeFetch({ mayReach: () => true })
const { clientId, clientSecret, url: apiUrl } = zoomServer
const { organization } = testServer({
  adapters: {
    zoom: new Zoom({ clientId, clientSecret, url: apiUrl, apiUrl }, reach),
    bigBlueButton: new BigBlueButton('http://127.0.0.1:9/bigbluebutton', 'open sesame', reach),
  },
})
const browser = webBrowser()

async function scene(settings: Record<string, unknown>) {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  await org.owner.patch('/realm', settings)
  const { page, url } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Dark`)
  const box = page.locator('.composer textarea')
  await box.waitFor()
  const button = page.getByRole('button', { name: 'Start a call' })
  const start = async (kind: string) => {
    await button.click()
    await page.getByRole('menuitem', { name: kind }).click()
  }
  return { org, ana, page, url, box, button, start }
}

test('the link of a Jitsi call is inserted, at the server of the organization', async () => {
  const { org, box, button, start } = await scene({ video_chat_provider: 1 })
  await box.fill('Here:')
  await start('Video call')
  const link = (name: string, server: string, isMuted: boolean) =>
    new RegExp(
      `^Here: \\[${name}\\]\\(https://${server}/[0-9a-f]{24}#config\\.startWithVideoMuted=${isMuted}\\)$`,
    )
  await expect.poll(() => box.inputValue()).toMatch(link('Join the video call', 'meet\\.jit\\.si', false))
  await org.owner.patch('/realm', { jitsi_server_url: JSON.stringify('https://calls.example.com') })
  await expect
    .poll(async () => {
      await box.fill('Here:')
      await start('Voice call')
      return box.inputValue()
    })
    .toMatch(link('Join the voice call', 'calls\\.example\\.com', true))
  await org.owner.patch('/realm', { video_chat_provider: 0 })
  await button.waitFor({ state: 'detached' })
})

test('the link of a BigBlueButton call is inserted', async () => {
  const { page, url, box, start } = await scene({ video_chat_provider: 4 })
  const [request] = await Promise.all([
    page.waitForRequest(/calls\/bigbluebutton\/create/),
    start('Voice call'),
  ])
  const { searchParams } = new URL(request.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ voice_only: 'true' })
  expect(searchParams.get('meeting_name')).toMatch(/design.*Dark/)
  await expect.poll(() => box.inputValue()).toContain('[Join the voice call](http')
  expect(await box.inputValue()).toContain(`${new URL(url).hostname}/calls/bigbluebutton/join?bigbluebutton=`)
})

test('who is not signed in to Zoom does so in a window, then the link is inserted', async () => {
  const { page, url, ana, box, start } = await scene({ video_chat_provider: 3 })
  const [window] = await Promise.all([page.waitForEvent('popup'), start('Video call')])
  await window.waitForURL(/oauth\/authorize/)
  const { pathname, search } = zoomServer.allow(window.url())
  await window.goto(new URL(pathname + search, url).href)
  await window.getByText('You can close this window').waitFor()
  await expect.poll(() => box.inputValue()).toBe('[Join the video call](https://zoom.example/j/1?pwd=x)')
  expect((await ana.register()).state.has_zoom_token).toBe(true)
  await box.fill('')
  await start('Voice call')
  await expect.poll(() => box.inputValue()).toBe('[Join the voice call](https://zoom.example/j/2?pwd=x)')
  expect(zoomServer.meetings).toMatchObject([
    { settings: { host_video: true } },
    { settings: { host_video: false } },
  ])
  // Access that the user has withdrawn at Zoom is asked for again.
  zoomServer.withdraw()
  await Promise.all([page.waitForEvent('popup'), start('Voice call')])
})
