import { IconCloudOff, IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useReducer } from 'react';
import { useTranslation } from 'react-i18next';
import { MESSAGE_CHARACTERS_MAX } from '#contract/message.ts';
import { useLineState } from '#web/client/live-line.ts';
import { useOwnTyping } from '#web/client/use-own-typing.ts';
import styles from './composer.module.css';
import { CanSend, ComposerHint } from './composer-hint.tsx';
import { type BoxAddress, sendDraft, setDraft, useBox } from './outbox.ts';
import { RefusalNote } from './refusal-note.tsx';
import type { TalkKind } from './talk-kind.ts';

type ComposerProps = {
  kind: TalkKind;
  address: BoxAddress;
  slowModeSeconds: number;
  fieldRef: Ref<HTMLTextAreaElement>;
};

/** The field in which a member writes, with what stands in the way of sending. */
export function Composer({ kind, address, slowModeSeconds, fieldRef }: ComposerProps) {
  const { t } = useTranslation();
  const hintId = useId();
  const { draft, refusal, sendableAt } = useBox(address);
  const isOffline = useLineState().state === 'offline';
  const waitS = useSecondsUntil(sendableAt);
  const typing = useOwnTyping(address.channelId);
  const length = draft.trim().length;
  const excess = length - MESSAGE_CHARACTERS_MAX;
  const isRefused = refusal !== null && refusal.code !== 'slow-mode' && refusal.code !== 'chat-banned';

  const send = () => {
    if (length === 0 || excess > 0 || waitS > 0) return;
    typing.stop();
    sendDraft(address, slowModeSeconds);
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isRefused && <RefusalNote refusal={refusal} />}
      {isOffline && (
        <div className={styles.note}>
          <IconCloudOff size={20} stroke={1.75} aria-hidden="true" />
          <span>{t('chat.noLine')}</span>
        </div>
      )}
      <div className={styles.box}>
        <textarea
          ref={fieldRef}
          rows={1}
          dir="auto"
          value={draft}
          aria-label={t(`chat.of.${kind}.field`)}
          aria-describedby={hintId}
          aria-invalid={isRefused || excess > 0}
          placeholder={t(`chat.of.${kind}.placeholder`)}
          onKeyDown={(event) => {
            if (!isSendingKey(event)) return;
            event.preventDefault();
            send();
          }}
          onChange={({ currentTarget: { value } }) => {
            setDraft(address, value);
            if (value.trim() === '') typing.stop();
            else typing.type();
          }}
          onBlur={typing.stop}
        />
        <SendButton
          waitS={waitS}
          label={isOffline ? t('chat.sendLater') : t(`chat.of.${kind}.send`)}
          isDisabled={length === 0 || excess > 0}
        />
      </div>
      <ComposerHint
        id={hintId}
        length={length}
        waitS={waitS}
        kept={isRefused && length > 0 ? (refusal.code === 'forbidden-content' ? 'keptUnseen' : 'kept') : null}
      />
      <CanSend waitS={waitS} />
    </form>
  );
}

/** Enter also ends the composition of a syllable, which is no sending. Safari tells it by the code alone. */
function isSendingKey({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229;
}

type SendButtonProps = { waitS: number; label: string; isDisabled: boolean };

/** In slow mode it counts the seconds until the next message. */
function SendButton({ waitS, label, isDisabled }: SendButtonProps) {
  const { t } = useTranslation();
  if (waitS === 0) {
    return (
      <button type="submit" className={styles.send} disabled={isDisabled} aria-label={label}>
        <IconSend2 size={20} stroke={1.75} aria-hidden="true" />
      </button>
    );
  }
  return (
    <button type="submit" className={styles.send} disabled>
      <span className="num">{t('chat.wait', { seconds: waitS })}</span>
      <span className="visually-hidden"> {t('chat.untilSend')}</span>
    </button>
  );
}

/** The whole seconds until a time, which is in ms since 1970. */
function useSecondsUntil(at: number): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const leftMs = Math.max(0, at - Date.now());
  const seconds = Math.ceil(leftMs / 1_000);
  useEffect(() => {
    if (seconds === 0) return;
    const timer = setTimeout(renderAgain, at - Date.now() - (seconds - 1) * 1_000);
    return () => clearTimeout(timer);
  }, [at, seconds]);
  return seconds;
}
