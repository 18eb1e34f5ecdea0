/** The ledger: found, shown as it was hashed, and checked by whoever reads it. */
import { type DragEvent, type ReactNode, useState } from 'react'
import { readChoice } from '../../choice.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Page } from '../../parts/page.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { go, usePlace } from '../../url/location.ts'
import { EntryDetail } from './entry-detail.tsx'
import { EntryList } from './entry-list.tsx'
import { parsePins } from './pins.ts'
import { verifier } from './verifier.ts'
import { VerifyView } from './verify-view.tsx'
import './ledger-page.css'

const TABS: readonly Tab[] = [
  { value: 'entries', label: 'Entries' },
  { value: 'verify', label: 'Verify' },
]

export function LedgerPage({ leaf }: { readonly leaf: string }): ReactNode {
  const { query } = usePlace()
  const tab = query.has('bundle') ? 'verify' : (query.get('in') ?? 'entries')
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    verifier.checkFile(file.name, file, parsePins(readChoice('pins')))
    go('/ledger?in=verify')
  }
  const handleHover = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <Page name="ledger">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files are chosen by a button as well */}
      <div
        className={over ? 'ledger ledger-over' : 'ledger'}
        onDragOver={handleHover}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Tabs label="what to do with the ledger" name="in" tabs={TABS} value={tab} />
        <div className="ledger-body">
          {tab === 'verify' ? (
            <VerifyView />
          ) : (
            <ListDetail
              list={<EntryList leaf={leaf} />}
              detail={leaf === '' ? null : <EntryDetail key={leaf} leaf={leaf} />}
            />
          )}
        </div>
      </div>
    </Page>
  )
}
