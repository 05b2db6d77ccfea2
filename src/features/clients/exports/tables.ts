import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { Scope } from './scope.ts'

type Condition = (scope: Scope) => RawBuilder<unknown>
type Expression = (scope: Scope) => RawBuilder<unknown>

/** How exports treat a table. The table has the alias t and holds the rows of one organization. */
export type TablePlan =
  /** Its rows are in every export, filtered by `rows`; the full export contains all of them. */
  | {
      rows: Condition
      /** Restricts the rows in the full export. */
      fullRows?: RawBuilder<unknown>
      /** Columns that only the full export contains. */
      secret?: string[]
      /** Expressions that replace columns in all exports except the full one. */
      instead?: Record<string, Expression>
    }
  /** Its rows are only in the full export, for the reason given. */
  | { fullOnly: string; fullRows?: RawBuilder<unknown>; fullInstead?: Record<string, RawBuilder<unknown>> }
  /** Its rows are in no export, for the reason given. */
  | { never: string }

const ofOrganization: { rows: Condition } = {
  rows: ({ name }) => (name === 'person' ? sql`false` : sql`true`),
}

/** Rows about a user that all users of the organization may see. */
const shownOfPerson: { rows: Condition } = {
  rows: (scope) => (scope.name === 'person' ? among('user_id', scope.people) : sql`true`),
}

const isLasting = sql`t.removed_at IS NULL`

/** Every table. A developer who adds a table decides here how exports treat it. */
export const tablePlans = {
  account: {
    rows: (scope) => (scope.name === 'person' ? among('id', scope.people) : sql`true`),
    instead: {
      delivery_email: (scope) =>
        sql`CASE WHEN ${among('id', scope.shownEmails)} THEN t.delivery_email ELSE 'user' || t.id || '@hidden.invalid' END`,
      settings: (scope) => sql`CASE WHEN ${among('id', scope.people)} THEN t.settings ELSE '{}' END`,
      default_sending_channel_id: knownChannel('default_sending_channel_id'),
      default_events_channel_id: knownChannel('default_events_channel_id'),
    },
  },
  alert_words: ofPerson('user_id'),
  allowed_domain: ofOrganization,
  api_key: { fullOnly: 'It opens accounts: hashes of keys.', fullInstead: { sealed: sql`NULL::text` } },
  attachment: {
    rows: (scope) =>
      scope.name === 'person'
        ? sql`${isLasting} AND ${among('owner_id', scope.people)}`
        : sql`${isLasting} AND (${among('owner_id', scope.people)} OR EXISTS (
            SELECT FROM attachment_message l JOIN message m ON m.realm_id = l.realm_id AND m.id = l.message_id
            WHERE l.realm_id = t.realm_id AND l.attachment_id = t.id AND ${scope.messages}))`,
    fullRows: isLasting,
  },
  attachment_message: {
    rows: (scope) =>
      scope.name === 'person'
        ? sql`EXISTS (SELECT FROM attachment a WHERE a.realm_id = t.realm_id AND a.id = t.attachment_id
            AND a.owner_id = ANY(${scope.people}::integer[]) AND a.removed_at IS NULL)`
        : inMessage(scope),
  },
  audit_entry: { fullOnly: 'It says who did what, and from where.' },
  bot_service: { ...ofOrganization, secret: ['base_url', 'token', 'config'] },
  bot_storage: ofPerson('user_id'),
  channel: { rows: (scope) => among('id', scope.channels) },
  channel_folder: ofOrganization,
  credential: { fullOnly: 'It opens accounts: hashes of passwords.' },
  custom_emoji: ofOrganization,
  data_export: { never: 'Exports stay on the server that has made them.' },
  default_channel_group: ofOrganization,
  digest: { fullOnly: 'It tells which digests the server has mailed, so that none comes twice.' },
  draft: ofPerson('user_id'),
  event_log: { never: 'The log starts anew.' },
  event_queue: { never: 'Queues start anew: clients register again.' },
  group_member: shownOfPerson,
  group_subgroup: ofOrganization,
  idempotency_key: { never: 'Requests are repeated to the server that has had them.' },
  identity: ofPerson('user_id'),
  invitation: { fullOnly: 'It makes accounts: hashes of keys.', fullInstead: { sealed: sql`NULL::text` } },
  job: {
    fullOnly: 'What the server has to do, as far as what it is about is exported.',
    fullRows: sql`t.kind <> ALL('{mail,"missed messages",outgoing,"push registration","push relay","push browser",data_export}')`,
    fullInstead: { leased_until: sql`0`, attempts: sql`0` },
  },
  linkifier: ofOrganization,
  login: ofPerson('user_id'),
  login_attempt: { never: 'It only counts recent attempts.' },
  mail: { never: 'Mails that wait go out where they were written, so that none goes out twice.' },
  mail_link: { fullOnly: 'It opens accounts: hashes of links in mails.' },
  message: {
    rows: ({ messages }) => thisMessage(messages),
    instead: {
      topic: ({ topics }) => sql`CASE WHEN ${thisMessage(topics)} THEN t.topic ELSE '' END`,
      edit_history: ({ hasHistory, topics }) =>
        hasHistory ? sql`CASE WHEN ${thisMessage(topics)} THEN t.edit_history END` : sql`NULL::jsonb`,
    },
  },
  message_flag: {
    rows: (scope) =>
      scope.name === 'person'
        ? among('user_id', scope.people)
        : sql`${among('user_id', scope.people)} AND ${inMessage(scope)}`,
  },
  log_place: { never: 'It says where the database is.' },
  migration: { never: 'The manifest names the schema.' },
  missed_message: { never: 'Who misses a message is mailed by the server that has noticed.' },
  missed_position: { never: 'Nothing that is imported counts as missed.' },
  moved_head: { never: 'It is of a move from one database to another.' },
  muted_user: ofPerson('user_id'),
  navigation_view: ofPerson('user_id'),
  onboarding: ofPerson('user_id'),
  outgoing_request: {
    never: 'Webhooks are asked by the server that has noticed, so that none is asked twice.',
  },
  playground: ofOrganization,
  presence: ofPerson('user_id'),
  profile: shownOfPerson,
  profile_field: ofOrganization,
  push_device: { fullOnly: 'It tells where notifications can be sent: secrets of devices.' },
  push_notification: { never: 'Notifications are brought by the server that has noticed.' },
  push_position: { never: 'It is a position in the log, which starts anew.' },
  push_server_key: { fullOnly: 'A private key.' },
  push_shown: { fullOnly: 'It is of use only together with the devices.' },
  reaction: {
    rows: (scope) => (scope.name === 'person' ? among('user_id', scope.people) : inMessage(scope)),
  },
  read_state: {
    rows: ({ people, recipients }) =>
      sql`${among('user_id', people)} AND ${among('recipient_id', recipients)}`,
  },
  realm: ofOrganization,
  realm_head: { never: 'The manifest has the last message; the log starts anew.' },
  realm_place: { never: 'It says in which database of this server the organization is.' },
  recipient: { rows: (scope) => among('id', scope.recipients) },
  reminder: ofPerson('user_id'),
  saved_snippet: ofPerson('user_id'),
  scheduled_message: ofPerson('sender_id'),
  server_start: { never: 'It says which servers use the database.' },
  session: { fullOnly: 'It opens accounts: hashes of sessions.' },
  sign_on: { never: 'Users in the middle of signing on start again.' },
  sign_up: { never: 'Users in the middle of signing up ask again.' },
  submessage: {
    rows: (scope) => (scope.name === 'person' ? among('sender_id', scope.people) : inMessage(scope)),
  },
  subscription: {
    rows: (scope) =>
      scope.name === 'person' ? among('user_id', scope.people) : among('channel_id', scope.channels),
    instead: {
      color: personal('color', sql`'#c2c2c2'`),
      is_muted: personal('is_muted', sql`false`),
      pin_to_top: personal('pin_to_top', sql`false`),
      desktop_notifications: personal('desktop_notifications'),
      audible_notifications: personal('audible_notifications'),
      push_notifications: personal('push_notifications'),
      email_notifications: personal('email_notifications'),
      wildcard_mentions_notify: personal('wildcard_mentions_notify'),
    },
  },
  resumable_upload: { never: 'Half a file is of no use elsewhere.' },
  unrecorded_file: { never: 'Files that no row tells of are not exported.' },
  upload_store: { ...ofOrganization, secret: ['url_key'] },
  user_group: ofOrganization,
  user_status: shownOfPerson,
  user_topic: {
    rows: ({ people, channels }) => sql`${among('user_id', people)} AND ${among('channel_id', channels)}`,
  },
  zoom_departure: { never: 'Users in the middle of connecting to Zoom start again.' },
  zoom_token: { never: 'Zoom accepts the tokens from one server only: users authorize the new one again.' },
} as const satisfies Record<keyof Database, TablePlan>

/** Private to the user whose id is in the column. */
function ofPerson(column: string): { rows: Condition } {
  return { rows: (scope) => among(column, scope.people) }
}

function personal(column: string, otherwise: RawBuilder<unknown> = sql`NULL`): Expression {
  return (scope) =>
    sql`CASE WHEN ${among('user_id', scope.people)} THEN t.${sql.ref(column)} ELSE ${otherwise} END`
}

function knownChannel(column: string): Expression {
  return (scope) => sql`CASE WHEN ${among(column, scope.channels)} THEN t.${sql.ref(column)} END`
}

function among(column: string, ids: number[]) {
  return sql`t.${sql.ref(column)} = ANY(${ids}::integer[])`
}

function thisMessage(condition: RawBuilder<unknown>) {
  return sql`EXISTS (SELECT FROM (SELECT t.id, t.recipient_id, t.sender_id) AS m WHERE ${condition})`
}

function inMessage({ messages }: Scope) {
  return sql`EXISTS (
    SELECT FROM message m WHERE m.realm_id = t.realm_id AND m.id = t.message_id AND ${messages})`
}
