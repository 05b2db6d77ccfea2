import { createSnippet } from './create-snippet.ts'
import { deleteSnippet } from './delete-snippet.ts'
import { getSnippets } from './get-snippets.ts'
import { savedSnippetsEvent } from './saved_snippets.event.ts'
import { updateSnippet } from './update-snippet.ts'

export const endpoints = [createSnippet, deleteSnippet, getSnippets, updateSnippet]

export const eventTypes = [savedSnippetsEvent]
