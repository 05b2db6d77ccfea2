/** Settings that `PATCH /settings` takes, and that other clients show: this one has nothing that they would change. */
export const forOtherClients = [
  'desktop_icon_count_display',
  'display_emoji_reaction_users',
  'emojiset',
  'enable_marketing_emails',
  'fluid_layout_width',
  'hide_ai_features',
  'high_contrast_mode',
  'left_side_userlist',
  'user_list_style',
  'web_animate_image_previews',
  'web_channel_default_view',
  'web_left_sidebar_unreads_count_summary',
  'web_navigate_to_sent_message',
  'web_stream_unreads_count_display_policy',
  'web_suggest_update_timezone',
]

/** Settings for which the profile and the account have forms. */
export const inForms = ['full_name', 'email', 'old_password', 'new_password']
