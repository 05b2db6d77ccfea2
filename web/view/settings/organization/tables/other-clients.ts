/** The parameters of `PATCH /realm` that no screen has, and why. docs/web.md lists them. */
export const notOnScreens: Readonly<Record<string, string>> = {
  can_manage_billing_group: 'This server sells nothing.',
  can_summarize_topics_group: 'This server has no language model, so it makes no summaries.',
  string_id: 'Only demonstration organizations change their address, and there are none here.',
  want_advertise_in_communities_directory: 'There is no directory of organizations.',
  zulip_update_announcements_stream_id: 'This server posts no announcements of new versions.',
}

/** Settings that have a control of their own beside the tables. */
export const ownControls = ['authentication_methods', 'jitsi_server_url'] as const
