import { Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMember } from '#web/client/session.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './settings-page.module.css';

/** With the rules of all countries' numbers, which nobody else needs. */
const PhoneForm = lazy(() => import('./phone-form.tsx').then((file) => ({ default: file.PhoneForm })));
const PhoneChange = lazy(() => import('./phone-form.tsx').then((file) => ({ default: file.PhoneChange })));

/** Verifies the phone number with a code. A verified number is shown, and can be replaced. */
export function PhoneCard() {
  const { t } = useTranslation();
  const member = useMember();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isChanging, setChanging] = useState(false);
  const wasVerified = useRef(member.phoneVerified);
  useEffect(() => {
    // The form with the focus was removed, so the heading takes the focus.
    if (member.phoneVerified && !wasVerified.current) heading.current?.focus();
    wasVerified.current = member.phoneVerified;
  }, [member.phoneVerified]);
  return (
    <section className={`card ${styles.phone}`} aria-labelledby="phone">
      <div className={styles.phoneHead}>
        <h2 id="phone" ref={heading} tabIndex={-1}>
          {t('settings.phone.title')}
        </h2>
        {member.phoneVerified && <StatusBadge tone="ok">{t('settings.phone.verified')}</StatusBadge>}
      </div>
      {member.phoneVerified ? (
        <>
          <p className={`small dim ${styles.phoneText}`}>{t('settings.phone.verifiedText')}</p>
          <p className={styles.number}>{member.phoneNumber}</p>
          {isChanging ? (
            <Suspense fallback={<SkeletonRows count={2} />}>
              <PhoneChange
                oldNumber={member.phoneNumber ?? ''}
                onEnd={() => {
                  setChanging(false);
                  heading.current?.focus();
                }}
              />
            </Suspense>
          ) : (
            <Button variant="default" mt="md" onClick={() => setChanging(true)}>
              {t('settings.phone.change')}
            </Button>
          )}
        </>
      ) : (
        <>
          <p className={`small dim ${styles.phoneText}`}>{t('settings.phone.lead')}</p>
          <Suspense fallback={<SkeletonRows count={2} />}>
            <PhoneForm proof={null} />
          </Suspense>
        </>
      )}
    </section>
  );
}
