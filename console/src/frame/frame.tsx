/** What is around every page: the list of pages, the line above, the keys that work everywhere. */
import { type ReactNode, useState } from 'react'
import { useKeys } from '../keys/keys.tsx'
import { go } from '../url/location.ts'
import { PAGE_NAMES, PAGES, type PageName } from '../url/pages.ts'
import { KeysHelp } from './keys-help.tsx'
import { Nav } from './nav.tsx'
import { Palette } from './palette.tsx'
import { RulesNote } from './rules-note.tsx'
import { Top } from './top.tsx'
import './frame.css'

export function Frame({
  page,
  children,
}: {
  readonly page: PageName | null
  readonly children: ReactNode
}): ReactNode {
  const [over, setOver] = useState<'palette' | 'keys' | null>(null)
  const close = (): void => setOver(null)
  useKeys([
    { keys: '?', does: 'show these shortcuts', run: () => setOver('keys') },
    { keys: 'mod+k', does: 'go to…', run: () => setOver('palette') },
    { keys: '/', does: 'search', run: focusSearch },
    ...PAGE_NAMES.map((name) => ({
      keys: `g ${PAGES[name].key}`,
      does: PAGES[name].title,
      run: () => go(`/${name}`),
    })),
  ])
  return (
    <div className="frame">
      <Nav page={page} />
      <div className="frame-page">
        <div>
          <Top openPalette={() => setOver('palette')} />
          <RulesNote />
        </div>
        {children}
      </div>
      <Palette open={over === 'palette'} close={close} />
      <KeysHelp open={over === 'keys'} close={close} />
    </div>
  )
}

/** A page that can be searched has one field of that type. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>('input[type="search"]')?.focus()
}
