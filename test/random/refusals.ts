// Why an operation may refuse a request whose parameters are all of the declared form.

/** Refusals that depend on what exists, what is permitted, and what is set already. */
export const aboutState = [
  // What exists in the organization.
  /^Invalid (channel|channel folder|channel name|data export|embedded bot|email|message|playground|user|user group)\b/i,
  /^Invalid (attachment|custom emoji|emoji code|emoji name|user IDs?)\b/i,
  /^Invalid narrow operator: (unknown (channel|user)|Invalid 'with' operator)/,
  /do(n't|esn't| not|es not) exist|[Nn]ot found|^No such|^There is no\b|^No entry found|^No presence|^Bad event queue/,
  /^Event \d+ was not in this queue|^Reaction doesn't|^Device not recognized|^This browser has not/,
  /^This (link|invitation) is no longer valid|^The ordered list must|^Invalid order mapping|^Not subscribed/,
  /Not a recognized time zone/,
  // What is set already.
  /already|is a default channel|is not (currently|muted)|not present in|Exceeded rate limit|^There are too many/,
  /does not match the expected value|^API usage exceeded|has been moved meanwhile|Only \d+ custom profile/,
  /^Failed to change owner|must be in the future|At least one authentication method/,
  // What is permitted, or configured.
  /[Pp]ermission|[Nn]ot authorized|time limit|Unable to access|not enabled|not (been )?configured/,
  /^Invalid (video_chat_provider [34]|authentication method: (LDAP|OpenID Connect))$|^Must be a demo/,
  /^'\w+' setting cannot be set to 'role:|must be a system user group/,
  /password is incorrect|^Wrong password|^Malformed API key/,
]

/** Rules about several parameters together: one of them alone is of the right form. */
export const aboutSeveral: Record<string, RegExp> = {
  'POST /user_groups/{user_group_id}/members': /^Nothing to do/,
  'POST /user_groups/{user_group_id}/subgroups': /^Nothing to do/,
  'PATCH /users/me/subscriptions': /^Nothing to do/,
  'POST /realm/profile_fields': /^Field must have at least one choice|^Invalid external account type/,
  'PATCH /users/me/subscriptions/{stream_id}': /not a valid hex color code|^is_muted is not a boolean/,
  'PATCH /streams/{stream_id}': /^Invalid parameters$/,
  'PATCH /messages/{message_id}': /^Invalid propagate_mode without/,
  'POST /messages/flags/narrow': /^The anchor can only be excluded/,
  'POST /messages': /^Expected exactly one channel/,
  'POST /messages/{message_id}/report': /^An explanation is required/,
  'PATCH /scheduled_messages/{scheduled_message_id}': /^Recipient required/,
  'POST /typing': /^Missing 'to'/,
}

/** Rules about one parameter that JSON Schema has no means to state. */
export const unstated: Record<string, RegExp> = {
  // How large the program is that a regular expression compiles to.
  'POST /realm/filters pattern': /expression too large/,
  'PATCH /realm/filters/{filter_id} pattern': /expression too large/,
  'POST /rookery/linkifier_preview pattern': /expression too large/,
  // How many different letters it has, ignoring case.
  'POST /users password': /^The password is too weak/,
  'POST /rookery/sign_ups/{key} password': /^The password is too weak/,
  'PATCH /settings new_password': /^The password is too weak/,
  'PATCH /settings/display new_password': /^The password is too weak/,
  'PATCH /settings/notifications new_password': /^The password is too weak/,
  // The form of a submessage depends on the message.
  'POST /submessage content': /^poll data/,
  // In an organization with a directory, users log in with other names.
  'POST /fetch_api_key username': /^Enter a valid email/,
  'POST /rookery/session email': /^Enter a valid email/,
  // Whether bytes are a point on a curve.
  'POST /rookery/push_subscriptions subscription': /^Invalid subscription\["keys"\]/,
}

/** Texts of this API that clients know, and that name a parameter in other words. */
export const otherNames =
  /^(Message must not|Too many messages requested|Invalid format!|Label cannot be blank|Enter a valid|Invalid address|Invalid app ID|Device not recognized|Invalid character in channel name)/
