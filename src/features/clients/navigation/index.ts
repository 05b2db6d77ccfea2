import { addNavigationView } from './add-navigation-view.ts'
import { getNavigationViews } from './get-navigation-views.ts'
import { navigationViewEvent } from './navigation_view.event.ts'
import { removeNavigationView } from './remove-navigation-view.ts'
import { updateNavigationView } from './update-navigation-view.ts'

export const endpoints = [addNavigationView, getNavigationViews, removeNavigationView, updateNavigationView]

export const eventTypes = [navigationViewEvent]
