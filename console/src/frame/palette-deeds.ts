/** What the palette does at once: help, how the console looks, and a link to what is shown. */
import { useToast } from '../parts/toast.tsx'
import { DENSITIES, THEMES, useAppearance } from '../style/appearance.tsx'
import { DENSITY_WORDS, THEME_WORDS } from '../style/appearance-words.ts'
import type { PaletteItem } from './palette-items.ts'

export const DEED_ITEMS: readonly PaletteItem[] = [
  {
    label: 'Documentation',
    hint: '',
    also: 'docs guides reference help manual search',
    href: '/docs/',
    leaves: true,
  },
  { label: 'Keyboard shortcuts', hint: '?', also: 'keys help', deed: 'keys' },
  { label: 'Copy a link to this page', hint: '', also: 'url address share', deed: 'link' },
  ...THEMES.map((theme) => ({
    label: `Theme: ${THEME_WORDS[theme]}`,
    hint: '',
    also: 'switch appearance colour mode',
    deed: `theme ${theme}`,
  })),
  ...DENSITIES.map((density) => ({
    label: `Density: ${DENSITY_WORDS[density]}`,
    hint: '',
    also: 'switch appearance rows height',
    deed: `density ${density}`,
  })),
]

/** Does what a deed is the name of. */
export function useDeeds(openKeys: () => void): (deed: string) => void {
  const say = useToast()
  const { setTheme, setDensity } = useAppearance()
  return (deed) => {
    const [what, value] = deed.split(' ')
    const theme = THEMES.find((one) => what === 'theme' && one === value)
    const density = DENSITIES.find((one) => what === 'density' && one === value)
    if (what === 'keys') openKeys()
    else if (theme !== undefined) setTheme(theme)
    else if (density !== undefined) setDensity(density)
    else void copyLink(say)
  }
}

async function copyLink(say: ReturnType<typeof useToast>): Promise<void> {
  await navigator.clipboard.writeText(location.href)
  say({ text: 'The link to this page is copied.' })
}
