import { domain, host, integerSetting, optional, required } from './setting-kinds.ts'

/** The settings of incoming mail: the domain of its addresses, and where the server listens for it. */
export const mailInSettings = {
  mailInDomain: {
    ...optional('ROOKERY_MAIL_IN_DOMAIN', domain(), 'none: the server takes no mail'),
    summary:
      'The domain of the addresses whose mail the server takes: those of channels, and those for replies.',
  },
  mailInPort: required(
    'ROOKERY_MAIL_IN_PORT',
    integerSetting(0, 65_535),
    '2525',
    'The port on which the server listens for mail by SMTP; 0 takes a free one.',
  ),
  mailInHost: required(
    'ROOKERY_MAIL_IN_HOST',
    host(),
    '127.0.0.1',
    'The address on which that port listens; another mail server hands mail over.',
  ),
}
