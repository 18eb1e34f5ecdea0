/**
 * How the console looks to its reader: theme and density, as attributes of the root that `tokens.css` reads. Kept in
 * the browser, and put there before anything is drawn.
 */
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { readChoice, writeChoice } from '../choice.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const DENSITIES = ['comfortable', 'compact'] as const

export type Theme = (typeof THEMES)[number]
export type Density = (typeof DENSITIES)[number]

export type Appearance = {
  readonly theme: Theme
  readonly density: Density
  readonly setTheme: (theme: Theme) => void
  readonly setDensity: (density: Density) => void
}

const AppearanceContext = createContext<Appearance | null>(null)

/** Before the first frame: a page that is drawn light and then dark is a flash at night. */
export function applyAppearance(): void {
  showTheme(readTheme())
  showDensity(readDensity())
}

export function AppearanceProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [theme, changeTheme] = useState(readTheme)
  const [density, changeDensity] = useState(readDensity)
  const appearance = useMemo<Appearance>(
    () => ({
      theme,
      density,
      setTheme(chosen) {
        writeChoice('theme', chosen)
        showTheme(chosen)
        changeTheme(chosen)
      },
      setDensity(chosen) {
        writeChoice('density', chosen)
        showDensity(chosen)
        changeDensity(chosen)
      },
    }),
    [theme, density],
  )
  return <AppearanceContext value={appearance}>{children}</AppearanceContext>
}

export function useAppearance(): Appearance {
  const appearance = useContext(AppearanceContext)
  if (appearance === null) throw new Error('a page stands inside of its appearance')
  return appearance
}

function readTheme(): Theme {
  const kept = readChoice('theme')
  return THEMES.find((theme) => theme === kept) ?? 'system'
}

function readDensity(): Density {
  const kept = readChoice('density')
  return DENSITIES.find((density) => density === kept) ?? 'comfortable'
}

function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
}

function showDensity(density: Density): void {
  document.documentElement.dataset.density = density
}
