import { unsubscribe } from './unsubscribe.ts'
import { unsubscribeForm } from './unsubscribe-form.ts'

export const endpoints = [unsubscribeForm, unsubscribe]
