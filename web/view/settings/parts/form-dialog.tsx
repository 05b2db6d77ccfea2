import './list.css'
import { Dialog } from '../../parts/dialog-panel.tsx'
import { Form, type FormProps } from '../../parts/form.tsx'

/** A dialog in which something is made or changed. It closes when `send` has succeeded. */
export function FormDialog(props: FormProps & { title: string; send(): Promise<unknown> }) {
  const run = async () => {
    await props.send()
    props.close()
  }
  return (
    <Dialog title={props.title} close={props.close}>
      <Form {...props} class="set-form" run={run} />
    </Dialog>
  )
}
