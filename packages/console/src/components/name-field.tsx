import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { myName, setMyName } from '../browser/who-am-i.ts';

/** Who writes: kept in this browser and sent with each message. */
export function NameField(): VNode {
  const [name, setName] = useState(myName);
  return (
    <label class="name-field">
      Writing as
      <input
        value={name}
        placeholder="your name"
        maxLength={80}
        autoComplete="nickname"
        onInput={({ currentTarget }) => {
          setMyName(currentTarget.value);
          setName(currentTarget.value);
        }}
      />
    </label>
  );
}
