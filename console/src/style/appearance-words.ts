/** What choices of appearance are called, in the menu and on the page of settings. */
import type { Density, Theme } from './appearance.tsx'

export const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: 'As the system',
  light: 'Light',
  dark: 'Dark',
}

export const DENSITY_WORDS: Readonly<Record<Density, string>> = {
  comfortable: 'Comfortable',
  compact: 'Compact',
}

export const TIME_WORDS: Readonly<Record<'local' | 'utc', string>> = {
  local: 'Local, relative',
  utc: 'UTC, exact',
}
