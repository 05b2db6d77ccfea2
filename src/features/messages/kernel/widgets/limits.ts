/** The limits of widgets. */
export const widgetLimits = {
  /** Characters of the JSON that defines a widget. */
  widgetLength: 50_000,
} as const
