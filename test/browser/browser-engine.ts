import { type Browser, chromium, firefox, webkit } from 'playwright-core'
import { chromiumProgram } from './chromium-program.ts'

/**
 * Starts the browser in which the web client is tried: Chromium, or the one that TEST_BROWSER names. Firefox and WebKit
 * reach a server of the tests only below `localhost` (see `secureHost`).
 */
export function launchBrowser(): Promise<Browser> {
  switch (process.env.TEST_BROWSER) {
    case 'firefox':
      return firefox.launch()
    case 'webkit':
      return webkit.launch()
    default:
      return launchChromium()
  }
}

function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumProgram,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP *.chat.test 127.0.0.1',
      // A microphone that beeps once a second, and that every page may use.
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  })
}
