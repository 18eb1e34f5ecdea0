import type { ReactNode } from 'react'
import { formatKeyName } from '../keys/key-name.ts'
import { useBoundKeys } from '../keys/keys.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** `?`: what can be pressed here. */
export function KeysHelp({
  open,
  close,
}: {
  readonly open: boolean
  readonly close: () => void
}): ReactNode {
  const bindings = useBoundKeys(open)
  return (
    <Dialog title="Keyboard shortcuts" open={open} close={close}>
      <table>
        <tbody>
          {bindings.map(({ keys, does }) => (
            <tr key={keys}>
              <th scope="row">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{formatKeyName(key)}</kbd>
                ))}
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
