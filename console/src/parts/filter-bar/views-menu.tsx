import Bookmark from 'lucide-react/icons/bookmark'
import Check from 'lucide-react/icons/check'
import Link2 from 'lucide-react/icons/link-2'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash-2'
import { type FormEvent, type ReactNode, useState } from 'react'
import { readChoice, writeChoice } from '../../choice.ts'
import { usePlace } from '../../url/location.ts'
import { getPagePath } from '../../url/pages.ts'
import { Dialog } from '../dialog.tsx'
import { Menu, type MenuItem } from '../menu.tsx'
import { useToast } from '../toast.tsx'
import {
  addView,
  dropView,
  isShown,
  type ListPage,
  NAME_LENGTH,
  parseViews,
  type SavedView,
  USUAL_VIEWS,
} from './saved-views.ts'

/** Views of this list: usual ones, saved ones, and what can be done with the one that is shown. */
export function ViewsMenu({ page }: { readonly page: ListPage }): ReactNode {
  const { query } = usePlace()
  const say = useToast()
  const [views, setViews] = useState(() => parseViews(readChoice('views')))
  const [naming, setNaming] = useState(false)
  const keep = (next: readonly SavedView[]): void => {
    setViews(next)
    writeChoice('views', JSON.stringify(next))
  }
  const own = views.filter((view) => view.page === page)
  const shown = own.find((view) => isShown(view, query))
  const toItem = (view: SavedView): MenuItem => ({
    label: view.name,
    icon: isShown(view, query) ? Check : Bookmark,
    href: `${getPagePath(page)}${view.query === '' ? '' : `?${view.query}`}`,
  })
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href)
    say({ text: 'The link to this view is copied.' })
  }
  const forget = (view: SavedView): void => {
    keep(dropView(views, view))
    say({ text: `The view ${view.name} is deleted.`, undo: () => keep(addView(views, view)) })
  }
  const save = (name: string): void => {
    keep(addView(views, { page, name, query: query.toString() }))
    say({ text: `Saved as ${name}, in this browser.` })
  }
  const deeds: readonly MenuItem[] = [
    { label: 'Save this view…', icon: Plus, run: () => setNaming(true) },
    { label: 'Copy its link', icon: Link2, run: () => void copy() },
    ...(shown === undefined
      ? []
      : [{ label: 'Delete this view', icon: Trash, run: () => forget(shown) }]),
  ]
  return (
    <>
      <Menu
        label="Views"
        button={
          <>
            <Bookmark className="icon" aria-hidden="true" />
            <span className="filter-button-word">Views</span>
          </>
        }
        groups={[
          { label: 'Usual', items: USUAL_VIEWS.filter((view) => view.page === page).map(toItem) },
          ...(own.length === 0 ? [] : [{ label: 'Saved', items: own.map(toItem) }]),
          { label: 'This view', items: deeds },
        ]}
      />
      <NameDialog open={naming} close={() => setNaming(false)} save={save} />
    </>
  )
}

function NameDialog({
  open,
  close,
  save,
}: {
  readonly open: boolean
  readonly close: () => void
  readonly save: (name: string) => void
}): ReactNode {
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (name === '') return
    save(name)
    close()
  }
  return (
    <Dialog title="Save this view" open={open} close={close}>
      <form className="stack" onSubmit={send}>
        <label>
          Name <input name="name" required maxLength={NAME_LENGTH} autoComplete="off" />
        </label>
        <p className="small quiet">It is kept in this browser. To share it, copy its link.</p>
        <p>
          <button type="submit" className="main">
            Save
          </button>
        </p>
      </form>
    </Dialog>
  )
}
