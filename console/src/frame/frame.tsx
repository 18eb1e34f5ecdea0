/** What is around every page: the list of pages, the line above, the keys that work everywhere. */
import { type ReactNode, useState } from 'react'
import { useKeys } from '../keys/keys.tsx'
import { go } from '../url/location.ts'
import { getPagePath, PAGE_NAMES, PAGES, type PageName } from '../url/pages.ts'
import { Drawer } from './drawer.tsx'
import { KeysHelp } from './keys-help.tsx'
import { Nav } from './nav.tsx'
import { Palette } from './palette.tsx'
import { RulesNote } from './rules-note.tsx'
import { Top } from './top.tsx'
import { useNextRequest } from './use-next-request.ts'
import './frame.css'

type Over = 'palette' | 'keys' | 'drawer'

export function Frame({
  page,
  children,
}: {
  readonly page: PageName | null
  readonly children: ReactNode
}): ReactNode {
  const goToNextRequest = useNextRequest()
  const [over, setOver] = useState<Over | null>(null)
  // One that closes late does not take the next one with it.
  const createCloseHandler = (which: Over) => (): void =>
    setOver((before) => (before === which ? null : before))
  useKeys([
    { keys: '?', does: 'show these shortcuts', run: () => setOver('keys') },
    { keys: 'mod+k', does: 'find or do…', run: () => setOver('palette') },
    { keys: '/', does: 'search', run: focusSearch },
    ...PAGE_NAMES.map((name) => ({
      keys: `g ${PAGES[name].key}`,
      does: PAGES[name].title,
      run: () => go(getPagePath(name)),
    })),
    { keys: 'g n', does: 'the next request that waits', run: () => void goToNextRequest() },
    { keys: 'g q', does: 'Inbox: fast track', run: () => go('/inbox?in=fast') },
  ])
  return (
    <div className="frame">
      <a className="frame-skip" href="#main">
        skip to content
      </a>
      <div className="frame-side">
        <Nav page={page} />
      </div>
      <div className="frame-page">
        <div>
          <Top
            openDrawer={() => setOver('drawer')}
            openPalette={() => setOver('palette')}
            openKeys={() => setOver('keys')}
          />
          <RulesNote />
        </div>
        {children}
      </div>
      <Drawer page={page} open={over === 'drawer'} close={createCloseHandler('drawer')} />
      <Palette
        open={over === 'palette'}
        close={createCloseHandler('palette')}
        openKeys={() => setOver('keys')}
      />
      <KeysHelp open={over === 'keys'} close={createCloseHandler('keys')} />
    </div>
  )
}

/** A page that can be searched has one field of that type. */
function focusSearch(): void {
  document.querySelector<HTMLInputElement>('main input[type="search"]')?.focus()
}
