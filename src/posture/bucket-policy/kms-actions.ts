/** Actions of the `kms` service prefix that act on one key, and so may stand in a key policy. Names as of 2026-09. */
export const KMS_KEY_ACTIONS =
  `CancelKeyDeletion CreateAlias CreateGrant Decrypt DeleteAlias DeleteImportedKeyMaterial DeriveSharedSecret
  DescribeKey DisableKey DisableKeyRotation EnableKey EnableKeyRotation Encrypt GenerateDataKey GenerateDataKeyPair
  GenerateDataKeyPairWithoutPlaintext GenerateDataKeyWithoutPlaintext GenerateMac GetKeyLastUsage GetKeyPolicy
  GetKeyRotationStatus GetParametersForImport GetPublicKey ImportKeyMaterial ListGrants ListKeyPolicies
  ListKeyRotations ListResourceTags PutKeyPolicy ReEncryptFrom ReEncryptTo ReplicateKey RetireGrant RevokeGrant
  RotateKeyOnDemand ScheduleKeyDeletion Sign SynchronizeMultiRegionKey TagResource UntagResource UpdateAlias
  UpdateKeyDescription UpdatePrimaryRegion Verify VerifyMac`.split(/\s+/);
