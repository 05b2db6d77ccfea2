import { IconButton } from '../../parts/action-button.tsx'
import './organization.css'
import { createSignal, Index, Show } from 'solid-js'
import { patch, postOnce } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import {
  accountIn,
  accountType,
  type FieldOption,
  fieldTypes,
  optionData,
  optionsIn,
  selectType,
} from '../../../lib/profile-fields.ts'
import type { ProfileField } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { CheckBox, SelectField, TextInput } from '../../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'

type Values = {
  name: string
  hint: string
  type: number
  required: boolean
  editable: boolean
  options: FieldOption[]
  subtype: string
  urlPattern: string
}

function valuesOf(given: ProfileField | undefined): Values {
  const data = given?.field_data ?? ''
  const account = accountIn(given?.type === accountType ? data : '')
  const options = given?.type === selectType ? optionsIn(data) : []
  return {
    name: given?.name ?? '',
    hint: given?.hint ?? '',
    type: given?.type ?? 1,
    required: given?.required ?? false,
    editable: given?.editable_by_user ?? true,
    options: options.length > 0 ? options : [{ value: '', text: '' }],
    subtype: account.subtype,
    urlPattern: account.url_pattern ?? '',
  }
}

/** Makes a profile field, or changes one; its type stays. */
export function FieldDialog(props: { field?: ProfileField; close(): void }) {
  const [values, setValues] = createSignal(valuesOf(props.field))
  const change = (changed: Partial<Values>) => setValues((all) => ({ ...all, ...changed }))
  const isAccount = () => values().type === accountType
  // A known kind of account has a name of its own.
  const isKnown = () => isAccount() && values().subtype !== 'custom'
  return (
    <FormDialog
      title={props.field ? t('org.edit', { name: props.field.name }) : t('profile_fields.new')}
      submit={t(props.field ? 'message.save' : 'org.add')}
      isIncomplete={!isKnown() && values().name.trim() === ''}
      send={() => send(values(), props.field, isKnown())}
      close={props.close}
    >
      <SelectField
        label={t('profile_fields.type')}
        value={values().type}
        options={Object.entries(fieldTypes).map(([type, key]) => [Number(type), t(key)])}
        choose={(type) => change({ type })}
        isDisabled={props.field !== undefined}
      />
      <Show when={isAccount()}>
        <Account values={values()} change={change} isFixed={props.field !== undefined && isKnown()} />
      </Show>
      <Show when={!isKnown()}>
        <Naming values={values()} change={change} />
      </Show>
      <Show when={values().type === selectType}>
        <Options options={values().options} change={(options) => change({ options })} />
      </Show>
      <CheckBox
        label={t('profile_fields.required')}
        isOn={values().required}
        set={(required) => change({ required })}
      />
      <CheckBox
        label={t('profile_fields.editable')}
        isOn={values().editable}
        set={(editable) => change({ editable })}
      />
    </FormDialog>
  )
}

function Naming(props: { values: Values; change(changed: Partial<Values>): void }) {
  return (
    <>
      <TextInput
        label={t('channel.name')}
        value={props.values.name}
        set={(name) => props.change({ name })}
        max={40}
        isFirst
      />
      <TextInput
        label={t('profile_fields.hint')}
        value={props.values.hint}
        set={(hint) => props.change({ hint })}
        max={80}
      />
    </>
  )
}

function send(values: Values, given: ProfileField | undefined, isKnown: boolean) {
  const { type, subtype } = values
  const account = { subtype, ...(subtype === 'custom' && { url_pattern: values.urlPattern.trim() }) }
  const options = () => optionData(values.options, valuesOf(given).options)
  const data = type === selectType ? options() : type === accountType ? account : undefined
  const params = {
    ...(!isKnown && { name: values.name.trim(), hint: values.hint.trim() }),
    ...(data && !(given && isKnown) && { field_data: data }),
    required: values.required,
    editable_by_user: values.editable,
  }
  return given
    ? patch(`/realm/profile_fields/${given.id}`, params)
    : postOnce('/realm/profile_fields', { ...params, field_type: type })
}

function Account(props: { values: Values; change(changed: Partial<Values>): void; isFixed: boolean }) {
  const kinds = () =>
    Object.entries(field('realm_default_external_accounts') ?? {}).map(
      ([name, { text }]) => [name, text] as const,
    )
  return (
    <>
      <SelectField
        label={t('profile_fields.account')}
        value={props.values.subtype}
        options={[...kinds(), ['custom', t('profile_fields.other_account')]]}
        choose={(subtype) => props.change({ subtype })}
        isDisabled={props.isFixed}
      />
      <Show when={props.values.subtype === 'custom'}>
        <TextInput
          label={t('profile_fields.url_pattern')}
          value={props.values.urlPattern}
          set={(urlPattern) => props.change({ urlPattern })}
          placeholder="https://example.com/%(username)s"
          isCode
        />
      </Show>
    </>
  )
}

/** The options of a list. An option that is removed is removed from all users who have chosen it. */
function Options(props: { options: FieldOption[]; change(options: FieldOption[]): void }) {
  const set = (index: number, text: string) =>
    props.change(props.options.map((one, at) => (at === index ? { ...one, text } : one)))
  const swap = (index: number) => {
    const all = [...props.options]
    all.splice(index - 1, 2, ...all.slice(index - 1, index + 1).reverse())
    props.change(all)
  }
  return (
    <fieldset class="form-field option-fields">
      <legend>{t('profile_fields.options')}</legend>
      <Index each={props.options}>
        {(option, index) => (
          <div class="set-option">
            <input
              class="field"
              dir="auto"
              aria-label={t('profile_fields.option', { number: index + 1 })}
              value={option().text}
              onInput={(event) => set(index, event.currentTarget.value)}
            />
            <IconButton
              class="up"
              icon="down"
              label={t('org.move_up', { name: option().text || String(index + 1) })}
              reason={index === 0 ? t('profile_fields.is_first') : undefined}
              run={() => swap(index)}
            />
            <IconButton
              icon="close"
              label={t('org.remove', { name: option().text || String(index + 1) })}
              reason={props.options.length === 1 ? t('profile_fields.one_option') : undefined}
              run={() => props.change(props.options.filter((_, at) => at !== index))}
            />
          </div>
        )}
      </Index>
      <button
        type="button"
        class="button"
        onClick={() => props.change([...props.options, { value: '', text: '' }])}
      >
        {t('profile_fields.add_option')}
      </button>
    </fieldset>
  )
}
